package io.middleware.engine.e2e;

import static org.awaitility.Awaitility.await;

import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionResponse;
import io.temporal.api.workflowservice.v1.ResetWorkflowExecutionRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowExecutionMetadata;
import io.temporal.client.schedules.ScheduleClient;
import io.temporal.client.schedules.ScheduleClientOptions;
import io.temporal.client.schedules.ScheduleDescription;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** What an operator sees in Temporal. */
public final class Temporal implements AutoCloseable {
  private final WorkflowServiceStubs stubs = connected();
  public final WorkflowClient client =
      WorkflowClient.newInstance(
          stubs,
          WorkflowClientOptions.newBuilder()
              .setNamespace(Engine.variable("TEMPORAL_NAMESPACE"))
              .build());

  /** On a busy machine the first try may take longer than its own time limit. */
  private static WorkflowServiceStubs connected() {
    var stubs =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder()
                .setTarget(Engine.variable("TEMPORAL_ADDRESS"))
                .build());
    await("a connection to Temporal")
        .atMost(Shop.PATIENCE)
        .ignoreExceptions()
        .until(
            () -> {
              stubs.connect(Duration.ofSeconds(10));
              return true;
            });
    return stubs;
  }

  /** The runs of an App, newest first. */
  public List<WorkflowExecutionMetadata> runs(String namespace, String app) {
    return list("WorkflowId = 'app/%s/%s'".formatted(namespace, app));
  }

  /** The ids of the open workflows of a namespace's Apps. */
  public List<String> open(String namespace) {
    return list(
            "WorkflowId STARTS_WITH 'app/%s/' AND ExecutionStatus = 'Running'".formatted(namespace))
        .stream()
        .filter(run -> run.getStatus() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING)
        .map(run -> run.getExecution().getWorkflowId())
        .toList();
  }

  /** The ids of the open workflows of an App. */
  public List<String> open(String namespace, String app) {
    var id = "app/%s/%s".formatted(namespace, app);
    return open(namespace).stream().filter(it -> it.equals(id) || it.startsWith(id + "/")).toList();
  }

  /** How many events the newest run of a workflow has. */
  public long historyLength(String workflow) {
    var run = WorkflowExecution.newBuilder().setWorkflowId(workflow).build();
    return describe(run).getWorkflowExecutionInfo().getHistoryLength();
  }

  /** The Schedule of this id. */
  public ScheduleDescription schedule(String id) {
    return ScheduleClient.newInstance(
            stubs,
            ScheduleClientOptions.newBuilder()
                .setNamespace(Engine.variable("TEMPORAL_NAMESPACE"))
                .build())
        .getHandle(id)
        .describe();
  }

  /** Lets a run begin anew after this event. */
  public void reset(WorkflowExecution run, long event) {
    stubs
        .blockingStub()
        .resetWorkflowExecution(
            ResetWorkflowExecutionRequest.newBuilder()
                .setNamespace(Engine.variable("TEMPORAL_NAMESPACE"))
                .setWorkflowExecution(run)
                .setWorkflowTaskFinishEventId(event)
                .setRequestId(UUID.randomUUID().toString())
                .setReason("end-to-end test")
                .build());
  }

  /** The ids of all workflows below an App's. */
  public List<String> children(String namespace, String app) {
    return list("WorkflowId STARTS_WITH 'app/%s/%s/'".formatted(namespace, app)).stream()
        .map(run -> run.getExecution().getWorkflowId())
        .sorted()
        .toList();
  }

  public List<WorkflowExecutionMetadata> list(String query) {
    return client.listExecutions(query).toList();
  }

  /** What the running activities of a workflow report to wait for; empty when none runs. */
  public String heartbeats(String workflow) {
    var run = WorkflowExecution.newBuilder().setWorkflowId(workflow).build();
    return describe(run).getPendingActivitiesList().stream()
        .flatMap(step -> step.getHeartbeatDetails().getPayloadsList().stream())
        .map(details -> details.getData().toStringUtf8())
        .collect(Collectors.joining("; "));
  }

  /** The server's full description of a run. */
  public DescribeWorkflowExecutionResponse describe(WorkflowExecution run) {
    return stubs
        .blockingStub()
        .describeWorkflowExecution(
            DescribeWorkflowExecutionRequest.newBuilder()
                .setNamespace(Engine.variable("TEMPORAL_NAMESPACE"))
                .setExecution(run)
                .build());
  }

  @Override
  public void close() {
    stubs.shutdownNow();
    stubs.awaitTermination(5, TimeUnit.SECONDS);
  }
}
