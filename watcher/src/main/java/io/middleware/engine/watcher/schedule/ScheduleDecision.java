package io.middleware.engine.watcher.schedule;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.ChangeOutcome;

/** What is to become of the schedule of an App. */
sealed interface ScheduleDecision {

  /** The App is to have this one. */
  record Apply(BackupSchedule schedule) implements ScheduleDecision {}

  /** The App is to have none. */
  record Delete() implements ScheduleDecision {}

  /** It stays as it is: the App's newest edit has not been carried out. */
  record Keep() implements ScheduleDecision {}

  static ScheduleDecision of(App app) {
    if (app.isMarkedForDeletion()) {
      return new Delete();
    }
    if (app.getSpec() == null || !isCarriedOut(app)) {
      return new Keep();
    }
    var settings = app.getSpec().backup();
    if (settings == null || !settings.isScheduled()) {
      return new Delete();
    }
    return BackupTimes.of(settings)
        .map(
            times ->
                new BackupSchedule(ResourceID.fromResource(app), times, app.getSpec().isStopped()))
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
