package io.middleware.engine.cluster.runlock;

import io.middleware.engine.api.App;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.ObservedRunLock;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.cluster.runs.RunLookup;
import io.middleware.engine.cluster.status.AppStatusFactory;
import io.middleware.engine.cluster.status.AppStatusWriter;
import io.middleware.engine.cluster.status.AppStatusWriter.AppId;
import io.middleware.engine.cluster.status.EventRecorder;
import io.middleware.engine.cluster.status.OperationBeginning;
import io.middleware.engine.cluster.status.OperationInApp;
import io.middleware.engine.workflows.port.ChangeRef;
import java.time.Clock;
import java.util.Optional;

/**
 * The run lock of an App for an Operation. It begins only between two changes: the watcher looks
 * before it starts a run, and what may have happened since is looked at here.
 */
public final class OperationLock {
  private final AppStatusWriter writer;
  private final Operations operations;
  private final RunLookup runs;
  private final OperationBeginning beginning;

  public OperationLock(
      AppStatusWriter writer,
      Operations operations,
      RunLookup runs,
      EventRecorder events,
      Clock clock) {
    this.writer = writer;
    this.operations = operations;
    this.runs = runs;
    this.beginning = new OperationBeginning(operations, events, clock);
  }

  /** Whether the Operation's run may write for the App. */
  public sealed interface Answer {

    /**
     * It may, and its Operation says so.
     *
     * @param app as it was when the lock was acquired
     * @param operation as it was before it said so
     */
    record Acquired(App app, Operation operation) implements Answer {}

    /** It may not, and nothing is written. */
    record Refused(String why) implements Answer {}
  }

  /**
   * Acquires the lock for the run of an Operation. A repeat changes nothing.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind SUPERSEDED when another run is the App's
   *     open one
   */
  public Answer acquire(ChangeRef change) {
    if (!runs.isRunning(change)) {
      throw Faults.of(
          FaultKind.SUPERSEDED,
          "App %s/%s: run %s is not its open run; nothing is planned"
              .formatted(change.namespace(), change.app(), change.runId()));
    }
    var refusal = beginning.refusal(change);
    if (refusal.isPresent()) {
      return refused(change, refusal.get());
    }
    var id = id(change);
    return writer
        .write(
            id,
            app ->
                refusal(app, change).isEmpty()
                    ? Optional.of(AppStatusFactory.locked(app, change))
                    : Optional.empty())
        .map(written -> begun(change, written.before()))
        .orElseGet(() -> new Answer.Refused(refusal(id, change)));
  }

  private Answer begun(ChangeRef change, App app) {
    return beginning
        .begin(change, app)
        .<Answer>map(before -> new Answer.Acquired(app, before))
        .orElseGet(() -> refused(change, "it has ended or is cancelled"));
  }

  /** An earlier attempt, or an earlier run, may have left the lock behind. */
  private Answer refused(ChangeRef change, String why) {
    writer.write(
        id(change),
        app ->
            new ObservedRunLock(app).isOfOperation(change)
                ? Optional.of(OperationInApp.ended(app))
                : Optional.empty());
    return new Answer.Refused(why);
  }

  private static AppId id(ChangeRef change) {
    return new AppId(change.namespace(), change.app(), change.uid());
  }

  private String refusal(AppId id, ChangeRef change) {
    return writer
        .read(id)
        .map(app -> refusal(app, change).orElse("the App has changed at the same time"))
        .orElse("the App is gone");
  }

  private Optional<String> refusal(App app, ChangeRef change) {
    var lock = new ObservedRunLock(app);
    if (lock.isOfOperation(change)) {
      return Optional.empty();
    }
    if (app.isMarkedForDeletion()) {
      return Optional.of("the App is being deleted");
    }
    if (app.whyBusy().isPresent()) {
      return app.whyBusy();
    }
    return lock.operation()
        .filter(
            other ->
                operations
                    .find(change.namespace(), other.name(), other.uid())
                    .filter(it -> !it.hasEnded())
                    .isPresent())
        .map(other -> "Operation %s is being carried out".formatted(other.name()));
  }
}
