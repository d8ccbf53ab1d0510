package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ChangeEnvironment.cancel;
import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Volumes grow before the objects with the new sizes are written, group by group. */
class StorageIT {
  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);
  private final FakeCluster cluster = env.cluster;

  @Test
  void shouldGrowTheVolumesOfAGroupBeforeItsObjectsAreWritten() {
    // Given
    cluster.planner = change -> Plans.inTurn(7, ChangeType.STORAGE, "nodes");
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations)
        .containsSubsequence(
            "grow nodes/shard-0",
            "apply nodes/shard-0",
            "converged nodes/shard-0",
            "grow nodes/shard-1",
            "apply nodes/shard-1");
  }

  @Test
  void shouldNotTouchVolumesInOtherTasks() {
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations).noneMatch(operation -> operation.startsWith("grow "));
  }

  @Test
  void shouldWriteNothingOfAGroupWhoseVolumesMayNotGrow() {
    // Given
    cluster.planner = change -> Plans.inTurn(7, ChangeType.STORAGE, "nodes");
    cluster.fault =
        operation ->
            operation.equals("grow nodes/shard-0")
                ? fails(FaultKind.FORBIDDEN, "grow claim data-0 to 2Gi: no more than the quota")
                : null;
    // When
    env.change(7);
    // Then
    assertThat(env.result())
        .isEqualTo(
            "Failed: task 7-storage-nodes failed: grow claim data-0 to 2Gi: no more than the quota");
    assertThat(cluster.operations).endsWith("grow nodes/shard-0");
  }

  @Test
  void shouldCompleteAGroupThatIsInterruptedDuringItsWrite() {
    // Given
    cluster.planner = change -> Plans.inTurn(7, ChangeType.STORAGE, "nodes");
    env.whenHangingAt(
        "apply nodes/shard-0", () -> env.update("cancelTasks", cancel("7-storage-nodes")));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Cancelled");
    assertThat(cluster.operations).endsWith("apply nodes/shard-0", "complete nodes/shard-0");
  }

  @Test
  void shouldCompleteAGroupThatIsInterruptedBetweenTwoAttempts() {
    // Given
    cluster.planner = change -> Plans.inTurn(7, ChangeType.STORAGE, "nodes");
    cluster.fault =
        operation -> {
          if (!operation.equals("apply nodes/shard-0")) {
            return null;
          }
          if (env.isFirst(operation)) {
            env.open().signal("cancelTasks", cancel("7-storage-nodes"));
          }
          return fails(FaultKind.UNAVAILABLE, "StatefulSet shard-0: is being deleted");
        };
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Cancelled");
    assertThat(cluster.operations).endsWith("complete nodes/shard-0");
  }

  @Test
  void shouldStopWaitingWhenItIsCancelledAndReportThatVolumesStay() {
    // Given
    cluster.planner = change -> Plans.undoing(7, ChangeType.STORAGE, Plans.ROLLBACK, "nodes");
    env.whenHangingAt(
        "grow nodes/shard-0", () -> env.update("cancelTasks", cancel("7-storage-nodes")));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Cancelled");
    assertThat(env.message("7-storage-nodes"))
        .isEqualTo(
            "cancelled by request;"
                + " nothing was rolled back: a volume that has grown cannot shrink");
    assertThat(cluster.operations).endsWith("grow nodes/shard-0");
  }
}
