package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.FakeCluster.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.port.TaskProgress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of the words of an order that is not the agents' own. */
@Timeout(60)
class PodOrderIT {
  private ChangeEnvironment env;
  private FakeCluster cluster;

  @BeforeEach
  void start() {
    env = new ChangeEnvironment(false);
    cluster = env.cluster;
    cluster.groups.put("nodes", List.of("shard-0"));
    cluster.pods.put("shard-0", List.of("s0-1", "s0-0"));
    cluster.planner =
        change -> Plans.inTurn(change.generation(), ChangeType.VERSION_UPGRADE, "nodes");
  }

  @AfterEach
  void stop() {
    env.close();
  }

  @Test
  void shouldKeepTheWordsOfADegradedOrderWhenTheTaskFailsLater() {
    // Given
    cluster.degraded.put("shard-0", "the agent of pod s0-1: UNAVAILABLE");
    cluster.fault =
        operation ->
            operation.equals("replace s0-1") ? fails(FaultKind.INVALID, "cannot evict") : null;
    // When
    env.change(7).getResult(String.class);
    // Then
    assertThat(phases()).containsExactly(TaskPhase.FAILED);
    assertThat(cluster.lastReport().degradedOrder()).contains(cluster.degraded.get("shard-0"));
  }

  @Test
  void shouldKeepTheWordsOfADegradedOrderWhenTheTaskIsCancelled() {
    // Given
    cluster.degraded.put("shard-0", "the agent of pod s0-1: UNAVAILABLE");
    cluster.waiting = "replace s0-1";
    cluster.begun =
        operation ->
            env.client()
                .newUntypedWorkflowStub(ChangeEnvironment.ID + "/7/7-versionupgrade-nodes/shard-0")
                .cancel();
    // When
    env.change(7).getResult(String.class);
    // Then
    assertThat(phases()).containsExactly(TaskPhase.CANCELLED);
    assertThat(cluster.operations).doesNotContain("replace s0-0");
    assertThat(cluster.lastReport().degradedOrder()).contains(cluster.degraded.get("shard-0"));
  }

  private List<TaskPhase> phases() {
    return cluster.lastReport().tasks().stream().map(TaskProgress::phase).toList();
  }
}
