package io.middleware.engine.cluster.status;

import io.middleware.engine.api.App;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.workflows.port.ChangeRef;
import java.time.Clock;
import java.util.Optional;

/** Writes into an Operation which run carries it out, with an event when it begins. */
public final class OperationBeginning {
  private final Operations operations;
  private final EventRecorder events;
  private final Clock clock;

  public OperationBeginning(Operations operations, EventRecorder events, Clock clock) {
    this.operations = operations;
    this.events = events;
    this.clock = clock;
  }

  /** Why no run may carry the Operation out; empty when one may. */
  public Optional<String> refusal(ChangeRef change) {
    return refusal(change, operations.find(change));
  }

  /**
   * The calling run carries it out. A repeat changes nothing.
   *
   * @return the Operation as it was before; empty when it has ended or is cancelled meanwhile
   */
  public Optional<Operation> begin(ChangeRef change, App app) {
    var before =
        operations.write(
            change,
            found ->
                refusal(change, Optional.of(found)).isPresent()
                    ? Optional.empty()
                    : Optional.of(OperationStatusFactory.begun(found, change, clock.instant())));
    before
        .filter(operation -> !operation.hasBegun())
        .ifPresent(
            operation -> {
              events.record(operation, OperationEvents.begun(change));
              events.record(app, OperationEvents.begun(change));
            });
    return before;
  }

  private static Optional<String> refusal(ChangeRef change, Optional<Operation> found) {
    if (found.isEmpty() || found.get().getSpec() == null) {
      return Optional.of("the Operation is gone or cannot be read");
    }
    var operation = found.get();
    if (operation.hasEnded()) {
      return Optional.of("it has ended already: " + operation.getStatus().phase());
    }
    if (operation.hasBegun() && operation.hasOwnWorkflow() != change.shared()) {
      return Optional.of(
          "workflow %s carries it out".formatted(operation.getStatus().workflowId()));
    }
    return operation.isCancelled() ? Optional.of("it is cancelled") : Optional.empty();
  }
}
