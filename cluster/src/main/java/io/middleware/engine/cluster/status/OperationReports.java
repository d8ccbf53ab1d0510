package io.middleware.engine.cluster.status;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.api.App;
import io.middleware.engine.api.RunningOperation;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.cluster.ObservedRunLock;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.cluster.runs.RunLookup;
import io.middleware.engine.cluster.status.AppStatusWriter.AppId;
import io.middleware.engine.process.EngineMetric;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.OperationRef;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Shows in an Operation how far it is, and in its App while it holds the run lock. At its end what
 * it has left is stopped first, then the App's run lock is released: if the process dies in
 * between, the next run of the Operation finds its tasks done and ends it.
 */
public final class OperationReports {
  private final AppStatusWriter writer;
  private final Operations operations;
  private final OperationLeftovers leftovers;
  private final RunLookup runs;
  private final EventRecorder events;
  private final TransitionPublisher transitions;
  private final MeterRegistry meters;
  private final Clock clock;

  /**
   * @param meters count the Operations that have ended
   */
  public OperationReports(
      AppStatusWriter writer,
      Operations operations,
      OperationLeftovers leftovers,
      RunLookup runs,
      EventRecorder events,
      TransitionPublisher transitions,
      MeterRegistry meters,
      Clock clock) {
    this.writer = writer;
    this.operations = operations;
    this.leftovers = leftovers;
    this.runs = runs;
    this.events = events;
    this.transitions = transitions;
    this.meters = meters;
    this.clock = clock;
  }

  /**
   * Writes nothing for a run that has not begun the Operation, or after its end. The end of any run
   * releases the App, even if its Operation is gone.
   */
  void report(OperationRef ref, ChangeProgress progress) {
    var change = progress.change();
    var holder = ref.shared() ? sharedHolder(change) : holder(change);
    var carriers =
        Stream.concat(holder.stream(), Stream.of(change.runId())).collect(toUnmodifiableSet());
    if (progress.end().isPresent() && ref.action() == OperationAction.PLUGIN) {
      operations
          .find(change)
          .filter(found -> isCarriedOut(found, carriers) || isReleased(found, change))
          .ifPresent(found -> leftovers.stop(change, found));
    }
    var app =
        ref.shared()
            ? progress.end().flatMap(end -> writer.read(id(change)))
            : holder.flatMap(run -> reportToApp(ref, progress, run));
    operations
        .write(
            change,
            found ->
                isCarriedOut(found, carriers)
                    ? Optional.of(OperationStatusFactory.of(found, progress))
                    : Optional.empty())
        .filter(before -> progress.end().isPresent())
        .ifPresent(before -> ended(ref, before, app, progress));
  }

  private static boolean isCarriedOut(Operation found, Set<String> carriers) {
    return found.hasBegun() && !found.hasEnded() && carriers.contains(found.getStatus().runId());
  }

  /** Whether its run was lost when it was cancelled, and this one only releases its App. */
  private boolean isReleased(Operation found, ChangeRef change) {
    return found.isCancelled() && found.hasBegun() && !found.hasEnded() && runs.isRunning(change);
  }

  /**
   * The run that holds the lock for this run's Operation: this one, or the one before it if a reset
   * has created this one.
   */
  private Optional<String> holder(ChangeRef change) {
    return writer
        .read(id(change))
        .map(ObservedRunLock::new)
        .filter(lock -> lock.isOfOperation(change))
        .filter(lock -> lock.isHeldBy(change) || runs.isRunning(change))
        .flatMap(ObservedRunLock::operation)
        .map(RunningOperation::runId);
  }

  /** The same of an Operation that excludes nothing: its App says nothing about it. */
  private Optional<String> sharedHolder(ChangeRef change) {
    return operations
        .find(change)
        .filter(Operation::hasBegun)
        .map(found -> found.getStatus().runId())
        .filter(run -> run.equals(change.runId()) || runs.isRunning(change));
  }

  private Optional<App> reportToApp(OperationRef ref, ChangeProgress progress, String holder) {
    return writer
        .write(
            id(progress.change()),
            app ->
                transitions.publish(
                    app,
                    new ObservedRunLock(app)
                        .operation(ref)
                        .filter(it -> holder.equals(it.runId()))
                        .map(it -> OperationInApp.of(app, progress, clock.instant()))))
        .map(AppStatusWriter.Written::before);
  }

  private static AppId id(ChangeRef change) {
    return new AppId(change.namespace(), change.app(), change.uid());
  }

  private void ended(
      OperationRef ref, Operation operation, Optional<App> app, ChangeProgress progress) {
    var end = progress.end().orElseThrow();
    var event = OperationEvents.ended(progress.change(), end);
    events.record(operation, event);
    app.ifPresent(it -> events.record(it, event));
    EngineMetric.OPERATIONS
        .counter(meters, ref.action().label(), end.outcome().label())
        .increment();
  }
}
