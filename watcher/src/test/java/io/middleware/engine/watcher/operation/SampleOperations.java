package io.middleware.engine.watcher.operation;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.RunningOperation;
import io.middleware.engine.api.change.ChangeStatusBuilder;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationSpec;
import io.middleware.engine.api.operation.OperationStatusBuilder;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.watcher.Objects;

/** Restarts of the App shop/cache, which are deleted a minute after their end. */
final class SampleOperations {
  private SampleOperations() {}

  /**
   * @param created at which time of the day
   */
  static Operation operation(String name, String created) {
    var operation = new Operation();
    operation.setMetadata(
        new ObjectMetaBuilder()
            .withName(name)
            .withNamespace("shop")
            .withUid("uid-" + name)
            .withCreationTimestamp("2026-11-25T" + created + "Z")
            .build());
    operation.setSpec(spec(null, false));
    return operation;
  }

  static OperationSpec spec(String notBefore, boolean cancel) {
    return new OperationSpec(
        "cache", OperationAction.RESTART, null, null, null, notBefore, 60, cancel);
  }

  /** An action of the Plugin. */
  static Operation action(String name, String created) {
    var operation = operation(name, created);
    operation.setSpec(action(false));
    return operation;
  }

  static OperationSpec action(boolean cancel) {
    return new OperationSpec(
        "cache", "report", null, null, null, null, null, null, null, 60, cancel);
  }

  static void begin(Operation operation, String run) {
    begin(operation, "app/shop/cache", run);
  }

  /** Its run is a workflow of its own. */
  static void beginBeside(Operation operation, String run) {
    begin(operation, "op/shop/" + operation.getMetadata().getName(), run);
  }

  private static void begin(Operation operation, String workflow, String run) {
    operation.setStatus(
        OperationStatusBuilder.builder()
            .phase("InProgress")
            .appUid(Objects.app(7).getMetadata().getUid())
            .workflowId(workflow)
            .runId(run)
            .build());
  }

  /**
   * The App whose last change was of this generation.
   *
   * @param outcome null while that runs
   * @param operation uid of the Operation that holds the run lock; null when there is none
   */
  static App app(long generation, long observed, String outcome, String operation) {
    var change =
        ChangeStatusBuilder.builder().generation(observed).runId("run-0").outcome(outcome).build();
    var running =
        operation == null ? null : new RunningOperation("any", operation, null, null, null, null);
    return Objects.app(
        generation,
        AppStatusBuilder.builder()
            .observedGeneration(observed)
            .acceptedGeneration(observed)
            .change(change)
            .build()
            .withOperation(running));
  }
}
