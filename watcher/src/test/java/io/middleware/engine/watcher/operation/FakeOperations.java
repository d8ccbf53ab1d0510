package io.middleware.engine.watcher.operation;

import static io.middleware.engine.watcher.operation.SampleOperations.operation;
import static io.middleware.engine.watcher.operation.SampleOperations.spec;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.api.App;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationStatus;
import io.middleware.engine.watcher.control.ControlledApps.ControlOutcome;
import io.middleware.engine.watcher.request.FakeRequests;
import io.middleware.engine.watcher.request.RequestSubmission;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One Operation and its App. */
final class FakeOperations implements OperationObjects {
  final Operation operation;
  final FakeRequests<Operation> requests;
  App app = settled();
  int reads;

  /** What was published. */
  final List<String> events = new ArrayList<>();

  FakeOperations() {
    this(operation("restart-1", "09:59:00"));
  }

  FakeOperations(Operation operation) {
    this.operation = operation;
    this.requests = new FakeRequests<>(operation);
  }

  static App settled() {
    return SampleOperations.app(7, 7, "Succeeded", null);
  }

  void begin(String run) {
    app = SampleOperations.app(7, 7, "Succeeded", "uid-restart-1");
    SampleOperations.begin(operation, run);
  }

  void cancel() {
    operation.setSpec(spec(null, true));
  }

  @Override
  public Optional<App> app(Operation named) {
    reads++;
    return Optional.of(app);
  }

  @Override
  public void publish(HasMetadata object, ControlOutcome outcome) {
    events.add("%s: %s: %s".formatted(object.getKind(), outcome.reason(), outcome.note()));
  }

  /** Submits the Operation. */
  RequestSubmission<Operation, OperationStatus> submission(
      OperationCarriers carriers, MeterRegistry meters, InstantSource clock) {
    return new RequestSubmission<>(
        new OperationKind(new OperationEnds(this, meters)),
        new OperationTurns(carriers, this),
        requests,
        clock);
  }
}
