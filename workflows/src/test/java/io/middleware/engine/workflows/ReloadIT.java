package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ChangeEnvironment.cancel;
import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.TaskPhase;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Configuration that running pods reload. */
class ReloadIT {
  private static final String REFUSED =
      "the agent of pod s0-1, asked to reload: refused: maxmemory";
  @RegisterExtension final ChangeEnvironment env = new ChangeEnvironment(false);
  private final FakeCluster cluster = env.cluster;

  @BeforeEach
  void start() {
    cluster.groups.put("nodes", List.of("shard-0", "shard-1"));
    cluster.pods.put("shard-0", List.of("s0-1", "s0-0"));
    cluster.reloading.add("shard-0");
    cluster.planner =
        change -> Plans.hurried(Plans.inTurn(change.generation(), ChangeType.CONFIG, "nodes"));
  }

  @Test
  void shouldReloadAfterAllPodsAreReplacedAndOnlyWhereNeeded() {
    // When
    env.change(7).getResult(String.class);
    // Then
    assertThat(env.phases()).containsExactly(TaskPhase.DONE);
    assertThat(cluster.operations)
        .containsSubsequence(
            "apply nodes/shard-0",
            "replace s0-1",
            "replace s0-0",
            "reload nodes/shard-0",
            "converged nodes/shard-0",
            "apply nodes/shard-1");
    assertThat(cluster.operations.stream().filter(name -> name.startsWith("reload"))).hasSize(1);
  }

  @Test
  void shouldFailAtOnceWithTheMessageOfAnAgentThatRefuses() {
    // Given
    cluster.fault =
        operation ->
            operation.startsWith("reload") ? fails(FaultKind.AGENT_REFUSED, REFUSED) : null;
    // When
    env.change(7);
    env.result();
    // Then
    assertThat(env.phases()).containsExactly(TaskPhase.FAILED);
    assertThat(env.task("7-config-nodes").fault().orElseThrow().reason()).isEqualTo("AgentRefused");
    assertThat(env.message("7-config-nodes")).startsWith(REFUSED);
    assertThat(cluster.operations.stream().filter("reload nodes/shard-0"::equals)).hasSize(1);
    assertThat(cluster.operations).doesNotContain("apply nodes/shard-1");
  }

  @Test
  void shouldReloadAgainWhenAnAgentAnswersOnlyTheSecondAttempt() {
    // Given
    cluster.fault =
        operation ->
            operation.startsWith("reload") && env.isFirst(operation)
                ? fails(FaultKind.AGENTS_UNAVAILABLE, "no word from s0-1")
                : null;
    // When
    env.change(7).getResult(String.class);
    // Then
    assertThat(env.phases()).containsExactly(TaskPhase.DONE);
    assertThat(env.task("7-config-nodes").attempts()).isEqualTo(2);
    assertThat(cluster.operations.stream().filter("reload nodes/shard-0"::equals)).hasSize(2);
  }

  @Test
  void shouldReloadTheOldValuesDuringARollback() {
    // Given
    cluster.planner = change -> Plans.undoing(7, Plans.ROLLBACK, "nodes");
    cluster.fault =
        operation ->
            operation.startsWith("reload") && env.isFirst(operation)
                ? fails(FaultKind.AGENT_REFUSED, REFUSED)
                : null;
    // When
    env.change(7);
    env.result();
    // Then
    assertThat(cluster.operations)
        .containsSubsequence(
            "reload nodes/shard-0",
            "restore nodes/shard-0",
            "reload nodes/shard-0",
            "converged nodes/shard-0");
  }

  @Test
  void shouldStopAReloadThatIsCancelled() {
    // Given
    env.whenHangingAt(
        "reload nodes/shard-0", () -> env.update("cancelTasks", cancel("7-config-nodes")));
    // When
    env.change(7);
    env.result();
    // Then
    assertThat(env.phases()).containsExactly(TaskPhase.CANCELLED);
    assertThat(cluster.operations).doesNotContain("converged nodes/shard-0");
  }

  @Test
  void shouldReportADegradedOrderOfReloads() {
    // Given
    cluster.degraded.put("reload of shard-0", "the agent of pod s0-1: UNAVAILABLE: in name order");
    // When
    env.change(7).getResult(String.class);
    // Then
    assertThat(cluster.lastReport().notes().degradedOrder())
        .contains("the agent of pod s0-1: UNAVAILABLE: in name order");
  }
}
