package io.middleware.engine.watcher.operation;

import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.api.App;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationSpec;
import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.process.EngineMetric;
import io.middleware.engine.watcher.control.ControlledApps.ControlOutcome;
import io.middleware.engine.watcher.request.RequestDecision.End;
import java.util.Locale;
import java.util.Optional;

/**
 * Tells of Operations that end without a run, as the run of the others does: by an event on the
 * Operation and one on its App, and by the metric.
 */
final class OperationEnds {
  private static final String UNKNOWN = "Unknown";

  private final OperationObjects objects;
  private final MeterRegistry meters;

  OperationEnds(OperationObjects objects, MeterRegistry meters) {
    this.objects = objects;
    this.meters = meters;
  }

  /** Writes the events; twice makes no more of them. */
  void publish(Operation operation, End end) {
    var outcome = outcome(operation, end);
    objects.publish(operation, outcome);
    app(operation).ifPresent(it -> objects.publish(it, outcome));
  }

  void count(Operation operation, End end) {
    EngineMetric.OPERATIONS.counter(meters, action(operation), end.phase()).increment();
  }

  private Optional<App> app(Operation operation) {
    return operation.getSpec() == null ? Optional.empty() : objects.app(operation);
  }

  private static ControlOutcome outcome(Operation operation, End end) {
    var meta = operation.getMetadata();
    var name =
        Optional.ofNullable(operation.getSpec())
            .map(spec -> "%s (%s)".formatted(meta.getName(), spec.actionName()))
            .orElse(meta.getName());
    return new ControlOutcome(
        meta.getUid() + "-ended",
        !ChangeOutcome.CANCELLED.label().equals(end.phase()),
        "Operation" + end.phase(),
        "Operation %s: %s: %s".formatted(name, end.phase().toLowerCase(Locale.ROOT), end.why()));
  }

  private static String action(Operation operation) {
    return Optional.ofNullable(operation.getSpec())
        .map(OperationSpec::action)
        .map(action -> action.label())
        .orElse(UNKNOWN);
  }
}
