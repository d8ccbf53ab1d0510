package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ChangeEnvironment.cancel;
import static io.middleware.engine.workflows.ChangeEnvironment.request;
import static io.middleware.engine.workflows.ChangeEnvironment.retry;
import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.port.TaskProgress.Result;
import io.middleware.engine.workflows.request.ChangeScope;
import io.temporal.api.enums.v1.EventType;
import io.temporal.failure.ApplicationFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cancel ends in a defined state, wherever the change is. */
class CancelIT {
  private static final String SENTINEL = "7-config-sentinel";
  private static final String NODES = "7-config-nodes";

  private static final String NOTHING_NAMED =
      "no task given; expected {\"cancelTaskIds\": [\"<task id>\", …]}";

  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);
  private final FakeCluster cluster = env.cluster;

  @Test
  void shouldCancelTheCurrentStepAndLeaveThePods() {
    // Given
    var answer = new AtomicReference<String>();
    env.whenHangingAt("replace s0-0", () -> answer.set(env.update("cancelTasks", cancel(NODES))));
    // When
    env.change(7);
    // Then
    assertThat(env.result())
        .isEqualTo(
            "Cancelled: cancelled by request; 7-config-sentinel Done;"
                + " 7-config-nodes Cancelled (done s0-1; left s0-0)");
    assertThat(answer.get()).isEqualTo("cancel of 7-config-nodes accepted");
    assertThat(env.phases()).containsExactly(TaskPhase.DONE, TaskPhase.CANCELLED);
    assertThat(env.message(NODES)).isEqualTo("cancelled by request; nothing was rolled back");
    assertThat(env.task(NODES).result())
        .contains(new Result(List.of("s0-1"), List.of(), List.of("s0-0")));
    assertThat(cluster.operations).endsWith("replace s0-0");
  }

  @Test
  void shouldNotCallAPodDoneThatIsNotReady() {
    // Given
    cluster.made.unready.add("s0-1");
    env.whenHangingAt("replace s0-0", () -> env.update("cancelTasks", cancel(NODES)));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).endsWith("7-config-nodes Cancelled (left s0-0; not ready s0-1)");
    assertThat(env.task(NODES).result())
        .contains(new Result(List.of(), List.of(), List.of("s0-0"), List.of("s0-1")));
  }

  @Test
  void shouldCancelATaskThatHasNotBegunAtOnceAndSkipItsDependents() {
    // Given
    cluster.planner = change -> Plans.undoing(7, Plans.ROLLBACK, "first", "sentinel", "nodes");
    cluster.groups.put("first", List.of("only"));
    env.during("apply first/only", () -> env.open().signal("cancelTasks", cancel(SENTINEL)));
    // When
    env.change(7);
    // Then
    assertThat(env.result())
        .isEqualTo(
            "Cancelled: cancelled by request; 7-config-first Done; 7-config-sentinel Cancelled;"
                + " 7-config-nodes Skipped");
    assertThat(env.message(NODES)).isEqualTo("task 7-config-sentinel is Cancelled");
    assertThat(cluster.lastReport().notes().requests())
        .singleElement()
        .asString()
        .endsWith("cancel of 7-config-sentinel accepted");
  }

  @Test
  void shouldRefuseWhatCannotBeCancelledAndLeaveNoTrace() {
    // Given
    var refusals = new AtomicReference<List<String>>();
    env.during(
        "replace s0-1",
        () -> {
          refusals.set(
              List.of(
                  env.refusal("cancelTasks", cancel(SENTINEL)),
                  env.refusal("cancelTasks", cancel(NODES, "6-config-nodes")),
                  env.refusal("cancelTasks", cancel()),
                  env.refusal("cancelTasks"),
                  env.refusal("retryTasks", retry(NODES))));
          env.open().signal("cancelTasks", cancel("6-config-nodes"));
        });
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(refusals.get())
        .containsExactly(
            "task 7-config-sentinel is Done: only a task that has not ended can be cancelled",
            "no task '6-config-nodes' in generation 7; there are: 7-config-sentinel,"
                + " 7-config-nodes",
            NOTHING_NAMED,
            NOTHING_NAMED,
            "task 7-config-nodes is InProgress: only a task that failed, was skipped or cancelled"
                + " can be retried");
    assertThat(env.events())
        .doesNotContain(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED);
    assertThat(cluster.lastReport().notes().requests())
        .singleElement()
        .asString()
        .contains("signal cancelTasks refused: no task '6-config-nodes' in generation 7");
  }

  @Test
  void shouldCancelTheWholeChange() {
    // Given
    env.whenHangingAt("apply sentinel/all", () -> env.update("cancelChange"));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Cancelled: cancelled by request");
    assertThat(env.phases()).containsExactly(TaskPhase.CANCELLED, TaskPhase.CANCELLED);
    assertThat(cluster.operations).endsWith("apply sentinel/all");
  }

  @Test
  void shouldCancelWhilePlanning() {
    // Given
    env.whenHangingAt("plan 7", () -> env.open().signal("cancelChange"));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Cancelled: cancelled by request");
    assertThat(cluster.operations).containsExactly("plan 7");
  }

  @Test
  void shouldCancelDuringThePauseBeforeARetryOfPlanning() {
    // Given
    var first = new AtomicBoolean(true);
    cluster.fault =
        operation -> {
          if (operation.equals("report") && isHeldUp() && first.getAndSet(false)) {
            env.open().signal("cancelChange");
          }
          return operation.equals("plan 7") ? fails(FaultKind.CONFLICT, "taken") : null;
        };
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Cancelled: cancelled by request");
  }

  @Test
  void shouldShowANativeCancelDuringThePauseBeforeARetryOfPlanning() {
    // Given
    cluster.fault =
        operation -> {
          if (operation.equals("report") && isHeldUp()) {
            env.cancelNatively("");
          }
          return operation.equals("plan 7") ? fails(FaultKind.CONFLICT, "taken") : null;
        };
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Cancelled: cancelled by request");
    assertThat(cluster.ends()).containsExactly("7 Cancelled: cancelled by request");
  }

  private boolean isHeldUp() {
    return cluster.operations.stream().filter("plan 7"::equals).count() == 1;
  }

  @Test
  void shouldCancelWhilePaused() {
    // Given
    var first = new AtomicBoolean(true);
    cluster.fault =
        operation -> {
          if (operation.equals("report") && first.getAndSet(false)) {
            env.open().signal("cancelChange");
          }
          return null;
        };
    // When
    env.change(request(7).in(true, false));
    // Then
    assertThat(env.result())
        .isEqualTo(
            "Cancelled: cancelled by request; 7-config-sentinel Cancelled;"
                + " 7-config-nodes Cancelled");
    assertThat(cluster.operations).containsExactly("plan 7");
  }

  @Test
  void shouldKeepACancelThatArrivesBeforeTheChange() {
    // Given
    env.start(ChangeEnvironment.ID, "AppChangeWorkflow", new Object[] {null});
    env.open().signal("cancelChange");
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Cancelled: cancelled by request");
  }

  @Test
  void shouldRollBackAfterANativeCancelOfTheRun() {
    // Given
    cluster.planner = change -> Plans.undoing(7, Plans.ROLLBACK, "sentinel", "nodes");
    env.whenHangingAt("replace s0-0", () -> env.cancelNatively(""));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Cancelled: cancelled by request");
    assertThat(env.message(NODES)).isEqualTo("cancelled by request; rolled back");
    assertThat(env.task(NODES).result())
        .contains(new Result(List.of(), List.of("s0-1"), List.of("s0-0")));
    assertThat(cluster.lastReport().end().orElseThrow().outcome())
        .isEqualTo(ChangeOutcome.CANCELLED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/7/7-config-nodes", "/7/7-config-nodes/shard-0"})
  void shouldCancelTheTaskWhoseChildIsCancelledNatively(String child) {
    // Given
    cluster.planner =
        Plans.apart(change -> Plans.inTurn(7, ChangeType.CONFIG, "nodes", "sentinel"));
    env.whenHangingAt("replace s0-0", () -> env.cancelNatively(child));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Cancelled: ");
    assertThat(env.phases()).containsExactly(TaskPhase.CANCELLED, TaskPhase.SKIPPED);
  }

  @Test
  void shouldRefuseToCancelWhatHasEnded() {
    // Given
    var refusal = new AtomicReference<String>();
    cluster.fault =
        operation ->
            !operation.equals("report end")
                ? null
                : refusal.compareAndSet(null, "")
                    ? fails(FaultKind.UNAVAILABLE, "no API server")
                    : refused(refusal);
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(refusal.get()).isEqualTo("the change of generation 7 has ended");
  }

  @Test
  void shouldCancelOnlyTheGenerationInTheRequest() {
    // Given
    List<String> refusals = new ArrayList<>();
    env.whenHangingAt(
        "apply sentinel/all",
        () -> {
          refusals.add(env.refusal("cancelChange", ChangeScope.of(6)));
          refusals.add(env.refusal("cancelChange", ChangeScope.of(8)));
          env.update("cancelChange", ChangeScope.of(7));
        });
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Cancelled: ");
    assertThat(refusals)
        .containsExactly(
            "the change of generation 6 has ended; generation 7 is being carried out",
            "the change of generation 8 has not begun; generation 7 is being carried out");
  }

  private ApplicationFailure refused(AtomicReference<String> refusal) {
    refusal.set(env.refusal("cancelChange"));
    return null;
  }
}
