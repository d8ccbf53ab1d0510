package io.middleware.engine.watcher.operation;

import io.middleware.engine.api.App;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.watcher.request.RequestDecision;
import io.middleware.engine.watcher.request.RequestTurns;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The turn of an Operation: when its App is free, or at once when it excludes nothing. */
record OperationTurns(OperationCarriers carriers, OperationObjects objects)
    implements RequestTurns<Operation> {

  @Override
  public Turn<Operation> of(Operation operation, Supplier<List<Operation>> siblings, Instant now) {
    var alone = OperationDecision.alone(operation, now);
    if (alone.isPresent()) {
      return turn(alone.get(), false, Optional.empty());
    }
    var behind = OperationDecision.behind(siblings.get(), operation, now);
    if (behind.isPresent() && !OperationCarriers.dependsOnPlugin(operation)) {
      return turn(behind.get(), false, Optional.empty());
    }
    var app = objects.app(operation);
    var shared = carriers.isShared(operation, app);
    if (shared.isEmpty()) {
      return turn(OperationDecision.waits("the Plugins are being read"), false, app);
    }
    return shared.get()
        ? turn(crowd(siblings, operation, app, now), true, app)
        : turn(behind.orElseGet(() -> OperationDecision.on(app, operation)), false, app);
  }

  /** One of another action may exclude others: it does not count. */
  private RequestDecision crowd(
      Supplier<List<Operation>> siblings, Operation operation, Optional<App> app, Instant now) {
    return operation.hasBegun()
        ? OperationDecision.beside(app, operation)
        : OperationDecision.crowded(
                siblings.get(), it -> carriers.isShared(it, app).orElse(false), operation, now)
            .orElseGet(() -> OperationDecision.beside(app, operation));
  }

  private Turn<Operation> turn(RequestDecision decision, boolean shared, Optional<App> app) {
    return new Turn<>(decision, carriers.of(shared, app));
  }
}
