package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ChangeEnvironment.cancel;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.TaskPhase;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A cancel that arrives at the end of the task, or at its time limit. */
class LateCancelIT {
  private static final String NODES = "7-config-nodes";

  /** Of the task; enough for the steps before on a busy machine. */
  private static final Duration LIMIT = Duration.ofSeconds(4);

  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);
  private final FakeCluster cluster = env.cluster;

  @Test
  void shouldReportDoneWhenTheCancelArrivesAfterTheLastStep() {
    // Given
    cluster.planner = change -> Plans.undoing(7, Plans.ROLLBACK, "sentinel", "nodes");
    env.during("settle " + NODES, () -> env.update("cancelTasks", cancel(NODES)));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(env.phases()).containsExactly(TaskPhase.DONE, TaskPhase.DONE);
    assertThat(cluster.operations).doesNotContain("reopen " + NODES);
  }

  @Test
  void shouldStayCancelledWhenTheTimeLimitPassesBeforeTheStepHasStopped() {
    // Given
    cluster.planner = change -> Plans.within(LIMIT, Plans.inTurn(7, ChangeType.CONFIG, "nodes"));
    env.whenHangingAt(
        "replace s0-0",
        () -> {
          env.update("cancelTasks", cancel(NODES));
          LockSupport.parkNanos(LIMIT.plusMillis(500).toNanos());
        });
    // When
    env.change(7);
    // Then
    assertThat(env.result())
        .isEqualTo(
            "Cancelled: cancelled by request; 7-config-nodes Cancelled (done s0-1; left s0-0)");
  }

  @Test
  void shouldStayCancelledWhenNoWorkerRanBeforeTheTimeLimit() {
    // Given a run that writes its status from before the cancel until after the time limit
    cluster.planner = change -> Plans.within(LIMIT, Plans.inTurn(7, ChangeType.CONFIG, "nodes"));
    env.whenHangingAt(
        "replace s0-1",
        () -> {
          cluster.seen =
              status -> {
                cluster.seen = later -> {};
                LockSupport.parkNanos(LIMIT.plusMillis(500).toNanos());
              };
          env.open().signal("orderDegraded", "no agent answers");
          LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
          env.open().signal("cancelTasks", cancel(NODES));
        });
    // When
    env.change(7);
    // Then
    assertThat(env.result())
        .isEqualTo("Cancelled: cancelled by request; 7-config-nodes Cancelled (left s0-1, s0-0)");
  }
}
