package io.middleware.engine.activities.status;

import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.activities.kubernetes.ObservedRunLock;
import io.middleware.engine.activities.kubernetes.Operations;
import io.middleware.engine.activities.status.AppStatusWriter.AppId;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Operation;
import io.middleware.engine.process.EngineMetric;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeRef;
import java.time.Clock;
import java.util.Optional;

/**
 * Shows in an Operation how far it is. At its end the App's run lock is released first: if the
 * process dies in between, the next run of the Operation finds its tasks done and ends it.
 */
public final class OperationReports {
  private final AppStatusWriter writer;
  private final Operations operations;
  private final RunLookup runs;
  private final EventRecorder events;
  private final MeterRegistry meters;
  private final Clock clock;

  /**
   * @param meters count the Operations that have ended
   */
  public OperationReports(
      AppStatusWriter writer,
      Operations operations,
      RunLookup runs,
      EventRecorder events,
      MeterRegistry meters,
      Clock clock) {
    this.writer = writer;
    this.operations = operations;
    this.runs = runs;
    this.events = events;
    this.meters = meters;
    this.clock = clock;
  }

  /** Writes nothing for a run that has not begun the Operation, or after its end. */
  void report(ChangeProgress progress) {
    var change = progress.change();
    var operation = operations.find(change).filter(it -> it.hasBegun() && !it.hasEnded());
    if (operation.isEmpty() || !isOf(operation.get(), change)) {
      return;
    }
    var app =
        writer.write(
            new AppId(change.namespace(), change.app(), change.uid()),
            found ->
                new ObservedRunLock(found).isOfOperation(change)
                    ? Optional.of(OperationInApp.of(found, progress, clock.instant()))
                    : Optional.empty());
    var before =
        operations.write(
            change,
            found ->
                found.hasEnded()
                    ? Optional.empty()
                    : Optional.of(OperationStatusFactory.of(found, progress)));
    if (before.isPresent() && progress.end().isPresent()) {
      ended(before.get(), app.map(AppStatusWriter.Written::before), progress);
    }
  }

  /** A run that a reset has created goes on with the Operation. */
  private boolean isOf(Operation operation, ChangeRef change) {
    return change.runId().equals(operation.getStatus().runId()) || runs.isRunning(change);
  }

  private void ended(Operation operation, Optional<App> app, ChangeProgress progress) {
    var change = progress.change();
    var end = progress.end().orElseThrow();
    var event = OperationEvents.ended(change, end);
    events.record(operation, event);
    app.ifPresent(it -> events.record(it, event));
    EngineMetric.OPERATIONS
        .counter(meters, change.operation().orElseThrow().action().label(), end.outcome().label())
        .increment();
  }
}
