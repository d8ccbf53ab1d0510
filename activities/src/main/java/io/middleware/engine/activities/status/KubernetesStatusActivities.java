package io.middleware.engine.activities.status;

import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.status.AppStatusWriter.AppId;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.ChangeStatus;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.StatusActivities;
import java.time.Clock;
import java.util.Optional;

/** Shows a change in its App's status and in events. */
public final class KubernetesStatusActivities implements StatusActivities {
  private final AppStatusWriter writer;
  private final EventRecorder events;
  private final Clock clock;

  public KubernetesStatusActivities(AppStatusWriter writer, EventRecorder events, Clock clock) {
    this.writer = writer;
    this.events = events;
    this.clock = clock;
  }

  @Override
  public void report(ChangeProgress progress) {
    var change = progress.change();
    writer
        .write(
            new AppId(change.namespace(), change.app(), change.uid()), app -> status(app, progress))
        .ifPresent(
            written ->
                Transitions.between(written.before().getStatus(), written.status())
                    .forEach(event -> events.record(written.before(), event)));
  }

  private Optional<AppStatus> status(App app, ChangeProgress progress) {
    var claim = Optional.ofNullable(app.getStatus()).map(AppStatus::change);
    requireClaim(claim, progress.change());
    // the plan may have taken on a newer generation than its run knows of yet
    var outdated = claim.map(ChangeStatus::generation).orElse(0L) > progress.change().generation();
    return outdated
        ? Optional.empty()
        : Optional.of(AppStatusFactory.of(app, progress, clock.instant()));
  }

  private static void requireClaim(Optional<ChangeStatus> claim, ChangeRef change) {
    if (claim.filter(held -> change.runId().equals(held.runId())).isEmpty()) {
      throw Faults.of(
          FaultKind.SUPERSEDED,
          "App %s/%s is claimed by run %s, not by %s: its status is not written"
              .formatted(
                  change.namespace(),
                  change.app(),
                  claim.map(ChangeStatus::runId).orElse("(none)"),
                  change.runId()));
    }
  }
}
