package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ChangeEnvironment.cancel;
import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.api.task.UndoPolicy;
import io.middleware.engine.workflows.port.TaskProgress.Result;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The rollback of a task that did not succeed. */
class RollbackIT {
  private static final String NODES = "7-config-nodes";

  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);
  private final FakeCluster cluster = env.cluster;

  @Test
  void shouldRollPodsBackInOrder() {
    // Given
    plan(Plans.ROLLBACK);
    cluster.waiting = "converged nodes/shard-0";
    cluster.begun =
        operation -> {
          cluster.waiting = "";
          env.update("cancelTasks", cancel(NODES));
          cluster.hang();
        };
    // When
    env.change(7);
    // Then
    assertThat(env.result())
        .isEqualTo(
            "Cancelled: cancelled by request; 7-config-nodes Cancelled (reverted s0-1, s0-0);"
                + " 7-config-sentinel Skipped");
    assertThat(cluster.operations)
        .containsSubsequence(
            "converged nodes/shard-0",
            "reopen 7-config-nodes",
            "restore nodes/shard-0",
            "replace s0-1",
            "replace s0-0",
            "settle 7-config-nodes");
    assertThat(cluster.made.madeFrom("s0-0")).isZero();
  }

  @Test
  void shouldStopTheRollbackAtTheSecondCancel() {
    // Given
    plan(Plans.ROLLBACK);
    cluster.waiting = "replace s0-0";
    cluster.begun =
        operation -> {
          cluster.waiting = "restore nodes/shard-0";
          cluster.begun = again -> env.update("cancelChange");
          env.update("cancelChange");
          cluster.hang();
        };
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Cancelled: ");
    assertThat(env.message(NODES)).isEqualTo("cancelled by request; the rollback was cancelled");
    assertThat(cluster.operations).endsWith("restore nodes/shard-0");
    assertThat(env.task(NODES).result())
        .contains(new Result(List.of("s0-1"), List.of(), List.of("s0-0")));
  }

  @Test
  void shouldStopTheRollbackWhoseRunIsCancelledNatively() {
    // Given
    plan(Plans.ROLLBACK);
    cluster.fault =
        operation ->
            operation.equals("replace s0-0") ? fails(FaultKind.INVALID, "cannot evict") : null;
    env.whenHangingAt(
        "restore nodes/shard-0", () -> env.cancelNatively("/7/7-config-nodes/rollback"));
    // When
    env.change(7);
    // Then
    assertThat(env.result())
        .isEqualTo("Failed: task 7-config-nodes failed: cannot evict; the rollback was cancelled");
    assertThat(env.phases()).containsExactly(TaskPhase.FAILED, TaskPhase.SKIPPED);
  }

  @Test
  void shouldNameNoPodsWhenTheirStateIsUnknown() {
    // Given
    plan(Plans.ROLLBACK);
    cluster.fault =
        operation ->
            switch (operation) {
              case "replace s0-0" -> fails(FaultKind.INVALID, "cannot evict");
              case "task state" -> fails(FaultKind.INVALID, "the Plugin is gone");
              default -> null;
            };
    // When
    env.change(7);
    // Then
    assertThat(env.result())
        .isEqualTo(
            "Failed: task 7-config-nodes failed: cannot evict; rolled back;"
                + " which pods it has reached is unknown: the Plugin is gone");
    assertThat(env.task(NODES).result()).isEmpty();
  }

  @Test
  void shouldRollAFailureBack() {
    // Given
    plan(Plans.ROLLBACK);
    cluster.fault =
        operation ->
            operation.equals("replace s0-0") ? fails(FaultKind.INVALID, "cannot evict") : null;
    // When
    env.change(7);
    // Then
    assertThat(env.result())
        .isEqualTo("Failed: task 7-config-nodes failed: cannot evict; rolled back");
    assertThat(env.task(NODES).result())
        .contains(new Result(List.of(), List.of("s0-1"), List.of("s0-0")));
  }

  @Test
  void shouldReportThatTheRollbackFailed() {
    // Given
    plan(Plans.ROLLBACK);
    cluster.fault =
        operation ->
            switch (operation) {
              case "replace s0-0" -> fails(FaultKind.INVALID, "cannot evict");
              case "restore nodes/shard-0" -> fails(FaultKind.FORBIDDEN, "may not write");
              default -> null;
            };
    // When
    env.change(7);
    // Then
    assertThat(env.result())
        .isEqualTo(
            "Failed: task 7-config-nodes failed: cannot evict; the rollback failed: may not write");
    assertThat(env.task(NODES).result())
        .contains(new Result(List.of("s0-1"), List.of(), List.of("s0-0")));
  }

  @Test
  void shouldLeaveAllAsItIsWhenPodsCannotGetBackWhatTheyHad() {
    // Given
    plan(Plans.ROLLBACK);
    cluster.fault =
        operation ->
            switch (operation) {
              case "replace s0-0" -> fails(FaultKind.INVALID, "cannot evict");
              case "reopen 7-config-nodes" -> fails(FaultKind.IRREVERSIBLE, "edit the App");
              default -> null;
            };
    // When
    env.change(7);
    // Then
    assertThat(env.result())
        .isEqualTo(
            "Failed: task 7-config-nodes failed: cannot evict;"
                + " nothing was rolled back: edit the App");
    assertThat(env.task(NODES).result())
        .contains(new Result(List.of("s0-1"), List.of(), List.of("s0-0")));
  }

  @Test
  void shouldNotRollBackWhatCannotBeRolledBack() {
    // Given
    cluster.planner =
        change -> Plans.undoing(7, ChangeType.STORAGE, Plans.ROLLBACK, "nodes", "sentinel");
    cluster.fault =
        operation ->
            operation.equals("replace s0-0") ? fails(FaultKind.INVALID, "cannot evict") : null;
    // When
    env.change(7);
    // Then
    assertThat(env.result())
        .isEqualTo(
            "Failed: task 7-storage-nodes failed: cannot evict;"
                + " nothing was rolled back: a volume that has grown cannot shrink");
    assertThat(cluster.operations).endsWith("replace s0-0");
  }

  @Test
  void shouldStopTheRollbackWhenTheAppIsDeleted() {
    // Given
    cluster.planner =
        change ->
            change.generation() == 8
                ? Plans.removal(8, "nodes")
                : Plans.undoing(7, Plans.ROLLBACK, "nodes", "sentinel");
    cluster.fault =
        operation ->
            operation.equals("replace s0-0") ? fails(FaultKind.INVALID, "cannot evict") : null;
    env.whenHangingAt("restore nodes/shard-0", () -> env.change(ChangeEnvironment.deletion(8)));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations).containsSubsequence("restore nodes/shard-0", "plan 8");
    assertThat(cluster.operations).endsWith("release cache");
  }

  private void plan(UndoPolicy undo) {
    cluster.planner = change -> Plans.undoing(7, undo, "nodes", "sentinel");
  }
}
