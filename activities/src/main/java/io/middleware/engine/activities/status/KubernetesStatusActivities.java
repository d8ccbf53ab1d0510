package io.middleware.engine.activities.status;

import io.micrometer.core.instrument.MeterRegistry;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows a change in its App's status and in events. */
public final class KubernetesStatusActivities implements StatusActivities {
  private static final Logger LOG = LoggerFactory.getLogger(KubernetesStatusActivities.class);

  private final AppStatusWriter writer;
  private final EventRecorder events;
  private final Clock clock;
  private final ChangeMetrics metrics;

  /**
   * @param meters where changes and tasks that end are counted
   */
  public KubernetesStatusActivities(
      AppStatusWriter writer, EventRecorder events, Clock clock, MeterRegistry meters) {
    this.metrics = new ChangeMetrics(meters);
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
        .ifPresent(written -> tell(written.before(), written.status()));
  }

  private void tell(App before, AppStatus status) {
    metrics.count(before.getStatus(), status);
    for (var event : Transitions.between(before.getStatus(), status)) {
      LOG.atInfo().addKeyValue("reason", event.reason()).log(event.note());
      events.record(before, event);
    }
  }

  private Optional<AppStatus> status(App app, ChangeProgress progress) {
    var claim = Optional.ofNullable(app.getStatus()).map(AppStatus::change);
    requireClaim(claim, progress.change());
    return AppStatusFactory.isBehind(progress, claim.get())
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
