package io.middleware.engine.watcher.change;

import static io.middleware.engine.watcher.Objects.app;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.process.servers.OnTemporal;
import io.middleware.engine.watcher.change.ChangeSignal.SignalCause;
import io.middleware.engine.watcher.change.ControlRequest.ApprovePlan;
import io.middleware.engine.watcher.change.ControlRequest.CancelChange;
import io.middleware.engine.watcher.change.RequestAnswer.Accepted;
import io.middleware.engine.watcher.change.RequestAnswer.NoRun;
import io.middleware.engine.watcher.change.RequestAnswer.NotYet;
import io.middleware.engine.watcher.change.RequestAnswer.Refused;
import io.middleware.engine.workflows.AppChangeWorkflow;
import io.middleware.engine.workflows.AppChangeWorkflowImpl;
import io.middleware.engine.workflows.OperationWorkflow;
import io.middleware.engine.workflows.request.ApproveRequest;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.request.ChangeScope;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.worker.WorkerFactory;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OnTemporal.class)
class TemporalChangeRunsIT {
  private static final String ID = "app/shop/cache";

  private final RunsOnTemporal temporal;
  private final TemporalChangeRuns runs;

  TemporalChangeRunsIT(LocalTemporal server) {
    this.temporal = new RunsOnTemporal(server);
    this.runs = new TemporalChangeRuns(temporal.calls, temporal.cluster);
  }

  @Test
  void shouldStartOneRunThatGetsAllSignals() {
    // When
    runs.signal(edit(7));
    runs.signal(edit(8));
    runs.signal(edit(8));
    // Then
    assertThat(generations()).containsExactly(7L, 8L, 8L);
  }

  @Test
  void shouldStartAnotherRunAfterTheEnd() {
    // Given
    runs.signal(edit(7));
    var ended = open();
    temporal.end(ID);
    // When
    runs.signal(edit(8));
    // Then
    assertThat(open().id()).isNotEqualTo(ended.id());
    assertThat(generations()).containsExactly(8L);
  }

  @Test
  void shouldStartARunOnlyWhenNoneIsOpen() {
    // When Then
    assertThat(runs.start(edit(7))).isTrue();
    assertThat(runs.start(edit(7))).isFalse();
    assertThat(temporal.input(ID, ChangeRequest.class).generation()).isEqualTo(7);
    // and then
    temporal.end(ID);
    assertThat(runs.start(edit(7))).isTrue();
  }

  @Test
  void shouldFindTheOpenRun() {
    // When Then
    assertThat(runs.openRun("shop", "cache")).as("there never was one").isEmpty();
    // and then
    runs.signal(edit(7));
    assertThat(open().id()).isEqualTo(temporal.runId(ID));
    assertThat(open().trouble()).as("it waits for a worker").isEmpty();
    // and then
    temporal.end(ID);
    assertThat(runs.openRun("shop", "cache")).as("it has ended").isEmpty();
  }

  @Test
  void shouldSayThatTheOpenRunIsOfAnotherWorkflow() {
    // Given
    var run = stub(OperationWorkflow.class, temporal.cluster + "/engine");
    WorkflowClient.start(run::run, edit(7).request());
    // When Then
    assertThat(open().trouble())
        .contains("it is a workflow of type OperationWorkflow, not AppChangeWorkflow");
  }

  @Test
  void shouldSayThatTheOpenRunIsOnAnotherQueue() {
    // Given
    var run = stub(AppChangeWorkflow.class, "another");
    WorkflowClient.start(run::run, edit(7).request());
    // When Then
    assertThat(open().trouble())
        .contains("it is on task queue another, not %s/engine".formatted(temporal.cluster));
  }

  @Test
  void shouldSayThatNoWorkerCanCarryItOn() {
    // Given
    runs.signal(edit(7));
    for (var attempt = 1; attempt < 3; attempt++) {
      temporal.failWorkflowTask();
      assertThat(open().trouble()).isEmpty();
    }
    // When
    temporal.failWorkflowTask();
    // Then
    Awaitility.await()
        .untilAsserted(
            () ->
                assertThat(open().trouble()).contains("its workflow task has been tried 4 times"));
  }

  @Test
  void shouldAnswerWhatTheRunAnswers() {
    // Given
    runs.signal(edit(7));
    var worker = worker(AnsweringChange.class);
    // When Then
    assertThat(cancel("request-1", 7)).isEqualTo(new Accepted("cancel 1 of generation 7"));
    assertThat(cancel("request-1", 7))
        .as("twice")
        .isEqualTo(new Accepted("cancel 1 of generation 7"));
    assertThat(cancel("request-2", 7)).isEqualTo(new Accepted("cancel 2 of generation 7"));
    assertThat(cancel("request-3", 6)).isEqualTo(new Refused("there is no generation 6"));
    worker.shutdownNow();
  }

  /** Nobody makes the plan. */
  @Test
  void shouldSayThatTheRunHasNotBegunYet() {
    // Given
    runs.signal(edit(7));
    var worker = worker(AppChangeWorkflowImpl.class);
    // When Then
    var approve = new ApprovePlan(new ApproveRequest("0a1b"));
    assertThat(runs.request("shop", "cache", "request-1", approve)).isEqualTo(new NotYet());
    worker.shutdownNow();
  }

  @Test
  void shouldSayThatThereIsNoRunToAsk() {
    // When Then
    assertThat(cancel("request-1", 7)).as("there never was one").isEqualTo(new NoRun());
    // and then
    runs.signal(edit(7));
    temporal.end(ID);
    assertThat(cancel("request-1", 7)).as("it has ended").isEqualTo(new NoRun());
  }

  private RequestAnswer cancel(String id, long generation) {
    return runs.request("shop", "cache", id, new CancelChange(ChangeScope.of(generation)));
  }

  private OpenRun open() {
    return runs.openRun("shop", "cache").orElseThrow();
  }

  private static ChangeSignal edit(long generation) {
    return new ChangeSignal(RequestedChange.request(app(generation)), SignalCause.EDIT);
  }

  private List<Long> generations() {
    return temporal.events(ID, EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED).stream()
        .map(event -> event.getWorkflowExecutionSignaledEventAttributes().getInput())
        .map(input -> temporal.read(input, ChangeRequest.class).generation())
        .toList();
  }

  private <T> T stub(Class<T> workflow, String queue) {
    var options =
        WorkflowOptions.newBuilder()
            .setWorkflowId(temporal.cluster + "/" + ID)
            .setTaskQueue(queue)
            .build();
    return temporal.calls.client().newWorkflowStub(workflow, options);
  }

  private WorkerFactory worker(Class<? extends AppChangeWorkflow> workflow) {
    var factory = WorkerFactory.newInstance(temporal.calls.client());
    factory.newWorker(temporal.cluster + "/engine").registerWorkflowImplementationTypes(workflow);
    factory.start();
    return factory;
  }
}
