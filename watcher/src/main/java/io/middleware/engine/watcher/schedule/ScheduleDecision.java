package io.middleware.engine.watcher.schedule;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.task.ChangeOutcome;
import java.util.Optional;

/** What is to become of the schedule of an App. */
sealed interface ScheduleDecision {

  /** The App is to have this one. */
  record Apply(BackupSchedule schedule) implements ScheduleDecision {}

  /** The App is to have none. */
  record Delete() implements ScheduleDecision {}

  /** It stays as it is: no edit of the App has been carried out, or its times cannot be read. */
  record Keep() implements ScheduleDecision {}

  static ScheduleDecision of(App app) {
    if (app.isMarkedForDeletion()) {
      return new Delete();
    }
    if (app.getSpec() == null || !isCarriedOut(app)) {
      return inForce(app);
    }
    var settings = app.getSpec().backup();
    if (settings == null || !settings.isScheduled()) {
      return new Delete();
    }
    return apply(app, BackupTimes.of(settings), app.getSpec().isStopped());
  }

  /**
   * The schedule of the last edit that was carried out, which the status shows while the App is not
   * stopped. Temporal may have lost it, and a rejected edit may stay the newest one for long.
   */
  private static ScheduleDecision inForce(App app) {
    var times =
        Optional.ofNullable(app.getStatus())
            .map(AppStatus::backupSchedule)
            .flatMap(schedule -> BackupTimes.of(schedule.schedule(), schedule.timeZone()));
    return apply(app, times, false);
  }

  private static ScheduleDecision apply(App app, Optional<BackupTimes> times, boolean paused) {
    return times
        .map(it -> new BackupSchedule(ResourceID.fromResource(app), it, paused))
        .<ScheduleDecision>map(Apply::new)
        .orElseGet(Keep::new);
  }

  private static boolean isCarriedOut(App app) {
    var status = app.getStatus();
    return status != null
        && app.getMetadata().getGeneration().equals(status.observedGeneration())
        && status.change() != null
        && ChangeOutcome.SUCCEEDED.label().equals(status.change().outcome());
  }
}
