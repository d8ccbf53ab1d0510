package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ChangeEnvironment.cancel;
import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.TaskPhase;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.failure.ApplicationFailure;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A change of one small group, whose only task the App's own run carries out. */
class InRunIT {
  private static final String TASK = "7-config-nodes";

  @RegisterExtension final ChangeEnvironment env = new ChangeEnvironment(false);
  private final FakeCluster cluster = env.cluster;

  @BeforeEach
  void start() {
    env.carryOutInRun();
  }

  @Test
  void shouldStartNoOtherWorkflow() {
    // When
    var result = env.change(7).getResult(String.class);
    // Then
    assertThat(result).isEqualTo("Succeeded");
    assertThat(cluster.operations)
        .containsExactly(
            "plan 7",
            "open " + TASK,
            "apply nodes/shard-0",
            "order nodes/shard-0",
            "replace s0-1",
            "replace s0-0",
            "converged nodes/shard-0",
            "settle " + TASK);
    assertThat(env.history(""))
        .noneMatch(HistoryEvent::hasStartChildWorkflowExecutionInitiatedEventAttributes);
  }

  @Test
  void shouldRollBackWhenTheTaskIsCancelled() {
    // Given
    env.whenHangingAt("replace s0-0", () -> env.update("cancelTasks", cancel(TASK)));
    // When
    env.change(7);
    // Then
    assertThat(env.result())
        .isEqualTo(
            "Cancelled: cancelled by request; 7-config-nodes Cancelled (reverted s0-1; left s0-0)");
    assertThat(cluster.operations)
        .containsSubsequence(
            "replace s0-1", "reopen " + TASK, "restore nodes/shard-0", "replace s0-1");
  }

  @Test
  void shouldRollBackWhenTheRunIsCancelledNatively() {
    // Given
    env.whenHangingAt("replace s0-0", () -> env.cancelNatively(""));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Cancelled: ");
    assertThat(cluster.operations).containsSubsequence("replace s0-1", "restore nodes/shard-0");
    assertThat(cluster.lastReport().notes().requests())
        .singleElement()
        .asString()
        .endsWith("the run was cancelled through Temporal");
  }

  @Test
  void shouldTryATaskAgainThatFails() {
    // Given
    failFirstApply(fails(FaultKind.CONFLICT, "somebody else owns it"));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(env.task(TASK).attempts()).isEqualTo(2);
  }

  @Test
  void shouldFailWithTheReasonOfTheStep() {
    // Given
    cluster.fault =
        operation ->
            operation.equals("replace s0-1") ? fails(FaultKind.AGENT_REFUSED, "not now") : null;
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Failed: ");
    assertThat(env.phases()).containsExactly(TaskPhase.FAILED);
    assertThat(env.task(TASK).fault().orElseThrow().reason())
        .isEqualTo(FaultKind.AGENT_REFUSED.label());
    assertThat(env.message(TASK)).startsWith("not now");
  }

  @Test
  void shouldWaitBeforeItsGroupWhileTheAppIsPaused() {
    // Given
    failFirstApply(fails(FaultKind.PAUSED, "App cache is paused"));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations)
        .containsSubsequence("apply nodes/shard-0", "await resume", "apply nodes/shard-0");
  }

  @Test
  void shouldReportAnOrderThatIsNotTheAgentsOwn() {
    // Given
    cluster.degraded.put("shard-0", "no agent answers");
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.lastReport().notes().degradedOrder()).contains("no agent answers");
  }

  private void failFirstApply(ApplicationFailure failure) {
    cluster.fault =
        operation ->
            operation.equals("apply nodes/shard-0") && env.isFirst(operation) ? failure : null;
  }
}
