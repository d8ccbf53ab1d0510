package io.middleware.engine.watcher.operation;

import static io.middleware.engine.watcher.operation.TestOperations.operation;
import static io.middleware.engine.watcher.operation.TestOperations.spec;

import io.middleware.engine.api.App;
import io.middleware.engine.api.Operation;
import io.middleware.engine.api.OperationStatus;
import java.util.Optional;

/** One Operation and its App. */
final class FakeOperations implements OperationObjects {
  final Operation operation;
  App app = settled();
  int reads;

  FakeOperations() {
    this(operation("restart-1", "09:59:00"));
  }

  FakeOperations(Operation operation) {
    this.operation = operation;
  }

  static App settled() {
    return TestOperations.app(7, 7, "Succeeded", null);
  }

  void begin(String run) {
    app = TestOperations.app(7, 7, "Succeeded", "uid-restart-1");
    TestOperations.begin(operation, run);
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
  public void write(Operation seen, OperationStatus status) {
    operation.setStatus(status);
  }

  @Override
  public void delete(Operation ended) {
    throw new IllegalStateException("it has not ended");
  }
}
