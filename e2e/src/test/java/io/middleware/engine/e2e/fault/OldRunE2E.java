package io.middleware.engine.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Temporal;
import io.temporal.activity.ActivityOptions;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowExecutionMetadata;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.RetryOptions;
import io.temporal.failure.ApplicationFailure;
import io.temporal.worker.WorkerFactory;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Somebody wakes a run whose change is over, or speaks in its name: nothing is changed. */
@EndToEnd
@Order(1)
class OldRunE2E {
  private static final String NAME = "tiny";
  private static final String SET = "tiny-sentinel-all";

  private final Shop shop;
  private final Temporal temporal;

  OldRunE2E(Shop shop, Temporal temporal) {
    this.shop = shop;
    this.temporal = temporal;
  }

  /** Of generation 2 after generation 3; and of generation 3, the newest, after its end. */
  @ParameterizedTest
  @CsvSource({"2", "3"})
  void shouldChangeNothingAfterAResetPastThePlan(int generation) {
    // Given generation 2 has 3 replicas, generation 3 has 2
    deployed(1);
    deployed(3);
    deployed(2);
    var before = shop.app(NAME);
    var runs = temporal.runs(shop.namespace, NAME).reversed();
    var audit = AuditLog.fromNow();
    // When
    reset(runs.get(generation - 1));
    // Then
    awaitClosed(runs.size() + 1);
    assertThat(temporal.client.newUntypedWorkflowStub(workflow()).getResult(String.class))
        .contains("generation 3 has already ended")
        .contains("is out of date");
    assertThatGeneration3Stands(before);
    assertThat(audit.restarts(shop.namespace)).isEmpty();
    // and the next edit works
    deployed(1);
  }

  /** A terminated run takes its child with it, and the run after the reset waits for that child. */
  @Test
  void shouldEndAfterACancelThoughItsChildIsLost() {
    // Given a task of two groups, which has a run of its own
    var upgrade =
        shop.small(NAME).replace("replicas: 1}", "replicas: 2}, {name: more, replicas: 1}");
    shop.apply(upgrade);
    shop.awaitReady(NAME);
    shop.apply(
        upgrade.replace("version: \"7.0\"", "version: \"7.2\"").plus("  change: {interval: 5m}\n"));
    await().until(() -> temporal.open(shop.namespace).size() == 2);
    temporal.client.newUntypedWorkflowStub(workflow()).terminate("end-to-end test");
    await().until(() -> temporal.open(shop.namespace).isEmpty());
    var run = temporal.runs(shop.namespace, NAME).getFirst().getExecution();
    // When
    temporal.reset(run, lastTask(run.getRunId()));
    await().until(() -> !temporal.open(shop.namespace).isEmpty());
    shop.annotate(NAME, Labels.CANCEL_CONTROL, "{}");
    // Then
    shop.awaitApp(NAME, app -> "Cancelled".equals(app.getStatus().change().outcome()));
    await().until(() -> temporal.open(shop.namespace).isEmpty());
  }

  private long lastTask(String run) {
    return temporal.client.fetchHistory(workflow(), run).getEvents().stream()
        .filter(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED)
        .mapToLong(HistoryEvent::getEventId)
        .max()
        .orElseThrow();
  }

  /** As somebody may who can start workflows in the engine's namespace. */
  @ParameterizedTest
  @CsvSource({"mine, Forbidden", "app/%s/tiny/mine, Superseded"})
  void shouldObeyNoForeignWorkflowInTheNameOfAnEndedRun(String workflow, String refusal) {
    // Given
    deployed(1);
    var app = shop.app(NAME);
    var set = shop.client.resources(StatefulSet.class).inNamespace(shop.namespace).withName(SET);
    var uid = set.get().getMetadata().getUid();
    // When Then
    assertThatThrownBy(() -> ask(workflow.formatted(shop.namespace), app))
        .isInstanceOf(WorkflowFailedException.class)
        .rootCause()
        .isInstanceOfSatisfying(
            ApplicationFailure.class, failure -> assertThat(failure.getType()).isEqualTo(refusal));
    assertThat(set.get().getMetadata().getUid()).isEqualTo(uid);
    assertThat(set.get().isMarkedForDeletion()).isFalse();
  }

  /** Then the App's workflow id is not blocked: the next edit has a run. */
  @Test
  void shouldFailARunWhoseInputCannotBeRead() {
    // Given
    deployed(1);
    var runs = temporal.runs(shop.namespace, NAME).size();
    // When
    startUnderTheAppsId("AppChangeWorkflow", "--input", "\"junk\"");
    // Then
    awaitClosed(runs + 1);
    deployed(2);
  }

  /** No worker knows it, and it takes the App's signals. */
  @Test
  void shouldSayThatARunUnderTheAppsIdMakesNoProgress() {
    // Given
    deployed(1);
    startUnderTheAppsId("Foreign");
    // When
    shop.apply(shop.small(NAME).replace("replicas: 1", "replicas: 2"));
    // Then
    await()
        .untilAsserted(
            () ->
                assertThat(shop.events(NAME, "RunStuck"))
                    .singleElement()
                    .satisfies(
                        event ->
                            assertThat(event.getMessage())
                                .contains("makes no progress: it is a workflow of type Foreign")
                                .contains("temporal workflow terminate -w " + workflow())));
    // and what it says helps
    Engine.run(
        List.of(
            "temporal", "workflow", "terminate", "--workflow-id", workflow(), "--reason", "e2e"));
    shop.awaitReady(NAME);
  }

  private void startUnderTheAppsId(String type, String... input) {
    var command =
        Stream.of(
            List.of("temporal", "workflow", "start", "--workflow-id", workflow()),
            List.of("--type", type, "--task-queue", "engine"),
            List.of(input));
    Engine.run(command.flatMap(List::stream).toList());
  }

  private void deployed(int replicas) {
    shop.apply(shop.small(NAME).replace("replicas: 1", "replicas: " + replicas));
    shop.awaitReady(NAME);
    awaitNoRun();
  }

  /** Each generation has a run of its own once the one before has ended. */
  private void awaitNoRun() {
    await("no open run").until(() -> temporal.open(shop.namespace).isEmpty());
  }

  private String workflow() {
    return "app/%s/%s".formatted(shop.namespace, NAME);
  }

  private void reset(WorkflowExecutionMetadata run) {
    var id = run.getExecution().getRunId();
    Engine.run(
        List.of(
            "temporal",
            "workflow",
            "reset",
            "--workflow-id",
            workflow(),
            "--run-id",
            id,
            "--event-id",
            String.valueOf(pastThePlan(id)),
            "--reason",
            "end-to-end test"));
  }

  private long pastThePlan(String run) {
    var events = temporal.client.fetchHistory(workflow(), run).getEvents();
    var planned =
        events.stream()
            .filter(event -> event.getEventType() == EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED)
            .mapToLong(HistoryEvent::getEventId)
            .min()
            .orElseThrow();
    return events.stream()
        .filter(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED)
        .mapToLong(HistoryEvent::getEventId)
        .filter(id -> id > planned)
        .min()
        .orElseThrow();
  }

  /** Waits until there are so many runs, and none is open. */
  private void awaitClosed(int count) {
    await()
        .until(
            () -> {
              var runs = temporal.runs(shop.namespace, NAME);
              return runs.size() == count
                  && runs.stream()
                      .noneMatch(
                          run ->
                              run.getStatus()
                                  == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING);
            });
  }

  private void assertThatGeneration3Stands(App before) {
    var app = shop.app(NAME);
    assertThat(app.getStatus().change()).isEqualTo(before.getStatus().change());
    assertThat(app.getStatus().observedGeneration()).isEqualTo(3);
    assertThat(Shop.condition(app, "Ready"))
        .hasValueSatisfying(ready -> assertThat(ready.getStatus()).isEqualTo("True"));
    assertThat(shop.pods(NAME)).hasSize(2);
    var group = shop.client.resources(Group.class).inNamespace(shop.namespace).withName(SET).get();
    assertThat(group.getSpec().replicas()).isEqualTo(2);
  }

  /** Has the engine's worker remove the group, for the run that the App's status shows. */
  private void ask(String workflow, App app) {
    var change =
        Map.of(
            "namespace",
            shop.namespace,
            "app",
            NAME,
            "uid",
            app.getMetadata().getUid(),
            "generation",
            app.getMetadata().getGeneration(),
            "runId",
            app.getStatus().change().runId());
    var task =
        Map.of(
            "change", change,
            "id", "1-remove-sentinel",
            "type", "REMOVE",
            "component", "sentinel",
            "rollback", false);
    var queue = "foreign-" + shop.namespace;
    var factory = WorkerFactory.newInstance(temporal.client);
    factory.newWorker(queue).registerWorkflowImplementationTypes(ForeignImpl.class);
    factory.start();
    try {
      temporal
          .client
          .newWorkflowStub(
              Foreign.class,
              WorkflowOptions.newBuilder().setTaskQueue(queue).setWorkflowId(workflow).build())
          .run(Map.of("task", task, "group", "all"));
    } finally {
      factory.shutdownNow();
    }
  }

  @WorkflowInterface
  public interface Foreign {
    @WorkflowMethod
    void run(Map<String, Object> group);
  }

  public static final class ForeignImpl implements Foreign {
    @Override
    public void run(Map<String, Object> group) {
      Workflow.newUntypedActivityStub(
              ActivityOptions.newBuilder()
                  .setTaskQueue("engine")
                  .setStartToCloseTimeout(Duration.ofSeconds(30))
                  .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
                  .build())
          .execute("RemoveDrainedGroup", Void.class, group);
    }
  }
}
