package io.middleware.engine.activities.status;

import io.fabric8.kubernetes.client.KubernetesClient;
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
  private final RunLookup runs;
  private final PendingChangeAnnotation pendingAnnotation;
  private final PlanStatusWriter planStatus;
  private final TransitionPublisher transitions;
  private final Clock clock;

  /**
   * @param client with the engine's own rights
   */
  public KubernetesStatusActivities(
      KubernetesClient client,
      AppStatusWriter writer,
      RunLookup runs,
      TransitionPublisher transitions,
      Clock clock) {
    this.writer = writer;
    this.runs = runs;
    this.pendingAnnotation = new PendingChangeAnnotation(client);
    this.planStatus = new PlanStatusWriter(client);
    this.transitions = transitions;
    this.clock = clock;
  }

  @Override
  public void report(ChangeProgress progress) {
    var change = progress.change();
    writer
        .write(
            new AppId(change.namespace(), change.app(), change.uid()), app -> status(app, progress))
        .ifPresent(
            written -> {
              transitions.publish(written.before(), written.status());
              pendingAnnotation.set(written.before(), progress.pending().isPresent());
              if (progress.end().isPresent()
                  || (progress.planned() && progress.hold().approval().isEmpty())) {
                planStatus.clear(written.before());
              }
            });
  }

  private Optional<AppStatus> status(App app, ChangeProgress progress) {
    var lock = Optional.ofNullable(app.getStatus()).map(AppStatus::change);
    requireRunLock(lock, progress.change());
    var newest = atLockedGeneration(progress, lock);
    return lock.filter(shown -> AppStatusFactory.isBehind(newest, shown)).isPresent()
        ? Optional.empty()
        : Optional.of(AppStatusFactory.of(app, newest, clock.instant()));
  }

  /**
   * When planning fails or ends, the report is about the generation that it acquired the lock for.
   */
  private static ChangeProgress atLockedGeneration(
      ChangeProgress progress, Optional<ChangeStatus> lock) {
    return lock.filter(held -> progress.change().runId().equals(held.runId()))
        .filter(held -> held.generation() > progress.change().generation())
        .filter(held -> progress.hold().planningFault().isPresent() || progress.end().isPresent())
        .map(held -> progress.at(held.generation()))
        .orElse(progress);
  }

  /** The write renews the run lock of a run that a reset has made. */
  private void requireRunLock(Optional<ChangeStatus> lock, ChangeRef change) {
    var isOurs = lock.filter(held -> change.runId().equals(held.runId())).isPresent();
    if (!isOurs && !runs.isRunning(change)) {
      throw Faults.of(
          FaultKind.SUPERSEDED,
          "the run lock of App %s/%s is held by run %s, not by %s: the status is not written"
              .formatted(
                  change.namespace(),
                  change.app(),
                  lock.map(ChangeStatus::runId).orElse("(none)"),
                  change.runId()));
    }
  }
}
