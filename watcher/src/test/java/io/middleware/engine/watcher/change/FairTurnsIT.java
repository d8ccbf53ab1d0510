package io.middleware.engine.watcher.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.process.servers.OnTemporal;
import io.middleware.engine.watcher.request.RequestWorkflow;
import io.temporal.activity.ActivityOptions;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueRequest;
import io.temporal.api.workflowservice.v1.PollWorkflowTaskQueueRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc.WorkflowServiceBlockingStub;
import io.temporal.client.WorkflowClient;
import io.temporal.common.Priority;
import io.temporal.common.SearchAttributes;
import io.temporal.common.converter.EncodedValues;
import io.temporal.worker.WorkerFactory;
import io.temporal.workflow.DynamicWorkflow;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The tasks of one namespace wait in a queue; then another namespace asks for something. */
@ExtendWith(OnTemporal.class)
class FairTurnsIT {
  private static final int MANY = 60;
  private static final int FEW = 6;

  private final String queue = "fair-" + UUID.randomUUID();
  private final WorkflowClient client;

  FairTurnsIT(LocalTemporal server) {
    this.client = server.client();
  }

  @Test
  void shouldNotLetARunWaitBehindManyOfAnotherNamespace() {
    // When
    for (var i = 0; i < MANY; i++) {
      submit("noisy", i);
    }
    submit("quiet", 0);
    // Then
    assertThat(first(this::polledRun)).anyMatch(id -> id.contains("quiet"));
  }

  @Test
  void shouldNotLetAStepWaitBehindManyOfAnotherNamespace() {
    // Given
    var factory = WorkerFactory.newInstance(client);
    factory.newWorker(queue).registerWorkflowImplementationTypes(OneStep.class);
    factory.start();
    try {
      // When
      for (var i = 0; i < MANY; i++) {
        submit("noisy", i);
      }
      awaitStep("noisy", MANY - 1);
      submit("quiet", 0);
      awaitStep("quiet", 0);
      // Then
      assertThat(first(this::polledStep)).anyMatch(id -> id.contains("quiet"));
    } finally {
      factory.shutdownNow();
    }
  }

  /** A workflow whose step, of the priority of all steps, nobody takes. */
  public static final class OneStep implements DynamicWorkflow {
    @Override
    public Object execute(EncodedValues input) {
      var options =
          ActivityOptions.newBuilder()
              .setTaskQueue(Workflow.getInfo().getTaskQueue() + "-steps")
              .setStartToCloseTimeout(Duration.ofMinutes(1))
              .setPriority(Priority.newBuilder().setPriorityKey(1).build())
              .build();
      Workflow.newUntypedActivityStub(options).execute("Step", Void.class);
      return null;
    }
  }

  private void submit(String namespace, int number) {
    client
        .newUntypedWorkflowStub(
            "OneStep",
            RequestWorkflow.options(
                id(namespace, number), namespace, queue, "one step", SearchAttributes.EMPTY))
        .start();
  }

  private void awaitStep(String namespace, int number) {
    await()
        .until(
            () ->
                client
                        .newUntypedWorkflowStub(id(namespace, number))
                        .describe()
                        .getRawDescription()
                        .getPendingActivitiesCount()
                    == 1);
  }

  private String id(String namespace, int number) {
    return "%s/%s/%d".formatted(queue, namespace, number);
  }

  private static List<String> first(Supplier<String> next) {
    return Stream.generate(next).limit(FEW).toList();
  }

  private String polledRun() {
    return server()
        .pollWorkflowTaskQueue(
            PollWorkflowTaskQueueRequest.newBuilder()
                .setNamespace(client.getOptions().getNamespace())
                .setTaskQueue(TaskQueue.newBuilder().setName(queue))
                .build())
        .getWorkflowExecution()
        .getWorkflowId();
  }

  private String polledStep() {
    return server()
        .pollActivityTaskQueue(
            PollActivityTaskQueueRequest.newBuilder()
                .setNamespace(client.getOptions().getNamespace())
                .setTaskQueue(TaskQueue.newBuilder().setName(queue + "-steps"))
                .build())
        .getWorkflowExecution()
        .getWorkflowId();
  }

  private WorkflowServiceBlockingStub server() {
    return client.getWorkflowServiceStubs().blockingStub();
  }
}
