package io.middleware.engine.workflows;

import io.middleware.engine.workflows.port.TaskQueues;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.time.Duration;

/** An in-memory Temporal with our workflows on it and a fake cluster below them. */
final class ChangeEnvironment implements AutoCloseable {
  static final String ID = "app/shop/cache";
  static final String UID = "uid-1";

  final FakeCluster cluster = new FakeCluster();
  final TestWorkflowEnvironment temporal;

  ChangeEnvironment(boolean timeSkipping) {
    temporal =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder()
                .setUseTimeskipping(timeSkipping)
                .setWorkerFactoryOptions(
                    WorkerFactoryOptions.newBuilder().setUsingVirtualWorkflowThreads(true).build())
                .registerSearchAttribute(
                    "MiddlewareApp", IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD)
                .registerSearchAttribute(
                    "MiddlewareNamespace", IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD)
                .registerSearchAttribute(
                    "MiddlewareOutcome", IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD)
                .registerSearchAttribute(
                    "MiddlewareTaskType", IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD)
                .registerSearchAttribute(
                    "MiddlewareGeneration", IndexedValueType.INDEXED_VALUE_TYPE_INT)
                .build());
    var options =
        WorkerOptions.newBuilder()
            .setDefaultDeadlockDetectionTimeout(5000)
            .setMaxHeartbeatThrottleInterval(Duration.ofMillis(100))
            .build();
    var worker = temporal.newWorker(TaskQueues.ENGINE, options);
    worker.registerWorkflowImplementationTypes(
        AppChangeWorkflowImpl.class,
        ComponentChangeWorkflowImpl.class,
        GroupChangeWorkflowImpl.class);
    worker.registerActivitiesImplementations(cluster);
    temporal.newWorker(TaskQueues.WAIT, options).registerActivitiesImplementations(cluster);
    temporal.start();
  }

  /** The App's workflow, started or signalled with this generation. */
  WorkflowStub change(long generation) {
    return change(new ChangeRequest("shop", "cache", UID, 0, generation, false));
  }

  WorkflowStub change(ChangeRequest request) {
    var stub = client().newUntypedWorkflowStub("AppChangeWorkflow", options());
    stub.signalWithStart("changed", new Object[] {request}, new Object[] {null});
    return client().newUntypedWorkflowStub(ID);
  }

  /** A workflow of this id and type, as if another run had started it. */
  void start(String id, String type, Object... input) {
    var options = WorkflowOptions.newBuilder(options()).setWorkflowId(id).build();
    client().newUntypedWorkflowStub(type, options).start(input);
  }

  WorkflowClient client() {
    return temporal.getWorkflowClient();
  }

  private static WorkflowOptions options() {
    return WorkflowOptions.newBuilder().setWorkflowId(ID).setTaskQueue(TaskQueues.ENGINE).build();
  }

  @Override
  public void close() {
    temporal.close();
  }
}
