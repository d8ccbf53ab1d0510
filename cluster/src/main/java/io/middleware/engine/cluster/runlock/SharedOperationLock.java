package io.middleware.engine.cluster.runlock;

import io.middleware.engine.api.App;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationStatus;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.cluster.runlock.OperationLock.Answer;
import io.middleware.engine.cluster.runs.RunLookup;
import io.middleware.engine.cluster.status.AppStatusWriter;
import io.middleware.engine.cluster.status.AppStatusWriter.AppId;
import io.middleware.engine.cluster.status.EventRecorder;
import io.middleware.engine.cluster.status.OperationBeginning;
import io.middleware.engine.workflows.port.ChangeRef;
import java.time.Clock;
import java.util.Optional;

/**
 * Makes one run the only one that carries out an Operation that excludes nothing. The lock is in
 * the Operation's own status, and the App's run lock is left alone.
 */
public final class SharedOperationLock implements RunFence {
  private final AppStatusWriter apps;
  private final Operations operations;
  private final RunLookup runs;
  private final OperationBeginning beginning;

  /**
   * @param apps reads them, and writes nothing here
   */
  public SharedOperationLock(
      AppStatusWriter apps,
      Operations operations,
      RunLookup runs,
      EventRecorder events,
      Clock clock) {
    this.apps = apps;
    this.operations = operations;
    this.runs = runs;
    this.beginning = new OperationBeginning(operations, events, clock);
  }

  /**
   * Acquires the lock for the run of an Operation. A repeat changes nothing.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind SUPERSEDED when another run is the
   *     Operation's open one
   */
  Answer acquire(ChangeRef change) {
    if (!runs.isRunning(change)) {
      throw superseded(change, "run %s is not its open run".formatted(change.runId()));
    }
    var app = app(change);
    var refusal = beginning.refusal(change).or(() -> refusal(app));
    return refusal.isPresent()
        ? new Answer.Refused(refusal.get())
        : beginning
            .begin(change, app.orElseThrow())
            .<Answer>map(before -> new Answer.Acquired(app.get(), before))
            .orElseGet(() -> new Answer.Refused("it has ended or is cancelled"));
  }

  /** Moves the lock to the calling run where a reset has created that one. */
  @Override
  public App check(ChangeRef change) {
    var app = app(change);
    refusal(app)
        .ifPresent(
            why -> {
              throw superseded(change, why);
            });
    var holder =
        operations
            .find(change)
            .filter(found -> found.hasBegun() && !found.hasEnded())
            .map(found -> found.getStatus().runId())
            .orElseThrow(() -> superseded(change, "it has ended or is gone"));
    if (!holder.equals(change.runId()) && !renew(change)) {
      throw superseded(
          change, "it is carried out by run %s, not by run %s".formatted(holder, change.runId()));
    }
    return app.orElseThrow();
  }

  private boolean renew(ChangeRef change) {
    return operations.write(change, found -> renewed(found, change)).isPresent();
  }

  /** After a write conflict the run is looked up again: the next run may have written. */
  private Optional<OperationStatus> renewed(Operation found, ChangeRef change) {
    return Optional.ofNullable(found.getStatus())
        .filter(status -> !found.hasEnded() && runs.isRunning(change))
        .map(status -> status.by(change.runId()));
  }

  private Optional<App> app(ChangeRef change) {
    return apps.read(new AppId(change.namespace(), change.app(), change.uid()));
  }

  private static Optional<String> refusal(Optional<App> app) {
    if (app.isEmpty()) {
      return Optional.of("the App is gone");
    }
    return app.get().isMarkedForDeletion()
        ? Optional.of("the App is being deleted")
        : Optional.empty();
  }

  private static RuntimeException superseded(ChangeRef change, String why) {
    return Faults.of(
        FaultKind.SUPERSEDED, "%s: %s; no further pod is touched".formatted(change.subject(), why));
  }
}
