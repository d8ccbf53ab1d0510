package io.middleware.engine.workflows.testing;

import io.middleware.engine.workflows.port.TaskQueues;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A Temporal in memory, and one IntegrationTest. */
final class LocalEnvironment implements AutoCloseable, AfterEachCallback {
  static final String ID = "test/shop/upgrade";

  final FakeIntegrationTest test = new FakeIntegrationTest();
  final FakeLoads loads = new FakeLoads();
  final TestWorkflowEnvironment temporal = environment();

  LocalEnvironment() {
    this(FakeLoad.class);
  }

  LocalEnvironment(Class<? extends LoadTestWorkflow> load) {
    var worker =
        temporal.newWorker(
            TaskQueues.tests(""),
            WorkerOptions.newBuilder()
                .setDefaultDeadlockDetectionTimeout(5000)
                .setMaxHeartbeatThrottleInterval(Duration.ofMillis(100))
                .build());
    worker.registerWorkflowImplementationTypes(IntegrationTestWorkflowImpl.class, load);
    worker.registerActivitiesImplementations(test, loads);
    temporal.start();
  }

  private static TestWorkflowEnvironment environment() {
    return TestWorkflowEnvironment.newInstance(
        TestEnvironmentOptions.newBuilder()
            .setUseTimeskipping(false)
            .setWorkerFactoryOptions(
                WorkerFactoryOptions.newBuilder().setUsingVirtualWorkflowThreads(true).build())
            .registerSearchAttribute(
                "MiddlewareOutcome", IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD)
            .registerSearchAttribute(
                "MiddlewareNamespace", IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD)
            .registerSearchAttribute(
                "MiddlewareTaskType", IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD)
            .build());
  }

  WorkflowStub start() {
    return start(Instant.now());
  }

  WorkflowStub start(Instant begun) {
    var stub =
        temporal
            .getWorkflowClient()
            .newUntypedWorkflowStub(
                "IntegrationTestWorkflow",
                WorkflowOptions.newBuilder()
                    .setTaskQueue(TaskQueues.tests(""))
                    .setWorkflowId(ID)
                    .build());
    stub.start(new IntegrationTestRequest("", "shop", "upgrade", "uid-1", 1, begun));
    return stub;
  }

  String run() {
    return start().getResult(String.class);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    close();
  }

  @Override
  public void close() {
    temporal.close();
  }
}
