package io.middleware.engine.cluster.status;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.ObservedRunLock;
import io.middleware.engine.cluster.runs.RunLookup;
import io.middleware.engine.cluster.status.AppStatusWriter.AppId;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.port.StatusActivities;
import io.middleware.engine.workflows.port.Work.Edit;
import java.time.Clock;
import java.util.Optional;

/** Shows a change in its App's status and in events. */
public final class KubernetesStatusActivities implements StatusActivities {
  private final AppStatusWriter writer;
  private final ClusterView view;
  private final RunLookup runs;
  private final PendingChangeAnnotation pendingAnnotation;
  private final PlanStatusWriter planStatus;
  private final TransitionPublisher transitions;
  private final OperationReports operations;
  private final Clock clock;

  /**
   * @param client with the engine's own rights
   * @param view must already be started
   */
  public KubernetesStatusActivities(
      KubernetesClient client,
      AppStatusWriter writer,
      ClusterView view,
      RunLookup runs,
      TransitionPublisher transitions,
      OperationReports operations,
      Clock clock) {
    this.writer = writer;
    this.view = view;
    this.runs = runs;
    this.pendingAnnotation = new PendingChangeAnnotation(client);
    this.planStatus = new PlanStatusWriter(client);
    this.transitions = transitions;
    this.operations = operations;
    this.clock = clock;
  }

  @Override
  public void report(ChangeProgress progress) {
    switch (progress.change().work()) {
      case Edit edit -> reportChange(progress);
      case OperationRef operation -> operations.report(operation, progress);
    }
  }

  private void reportChange(ChangeProgress progress) {
    var change = progress.change();
    writer
        .write(
            new AppId(change.namespace(), change.app(), change.uid()),
            ObservedRunLock.heldIn(view, change),
            app -> transitions.publish(app, status(app, progress)))
        .ifPresent(
            written -> {
              pendingAnnotation.set(written.before(), progress.pending().isPresent());
              if (progress.end().isPresent()
                  || (progress.planned() && progress.hold().approval().isEmpty())) {
                planStatus.clear(written.before());
              }
            });
  }

  private Optional<AppStatus> status(App app, ChangeProgress progress) {
    var lock = new ObservedRunLock(app);
    if (lock.isEndOf(progress.change())) {
      return unchanged(app, progress);
    }
    var newest = lock.isHeldBy(progress.change()) ? atLockedGeneration(progress, lock) : progress;
    if (isBehind(newest.change(), lock)) {
      return Optional.empty();
    }
    requireRunLock(lock, newest.change());
    return Optional.of(AppStatusFactory.of(app, newest, clock.instant()));
  }

  /**
   * The end stays as it was reported first: a repeated workflow task reports again what came before
   * it, and a run that is older than its own end, from a restored database, may end otherwise.
   */
  private static Optional<AppStatus> unchanged(App app, ChangeProgress progress) {
    return progress.end().map(end -> AppStatusFactory.partOf(app.getStatus()));
  }

  /**
   * When planning fails or ends, the report is about the generation that it acquired the lock for.
   */
  private static ChangeProgress atLockedGeneration(ChangeProgress progress, ObservedRunLock lock) {
    return lock.generation() > progress.change().generation()
            && (progress.hold().planningFault().isPresent() || progress.end().isPresent())
        ? progress.at(lock.generation())
        : progress;
  }

  /**
   * The plan may be of a newer generation than its run knows yet; and a run that begins after the
   * end of its generation, to retry it, reports nothing before it has planned.
   */
  private static boolean isBehind(ChangeRef change, ObservedRunLock lock) {
    return lock.isHeldBy(change) ? lock.generation() > change.generation() : lock.isPast(change);
  }

  /** The write renews the run lock of a run that a reset has made. */
  private void requireRunLock(ObservedRunLock lock, ChangeRef change) {
    if (!lock.isHeldBy(change) && !runs.isRunning(change)) {
      throw Faults.of(
          FaultKind.SUPERSEDED,
          "App %s/%s: %s; the status is not written"
              .formatted(change.namespace(), change.app(), lock.refusal(change)));
    }
  }
}
