package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ChangeEnvironment.cancel;
import static io.middleware.engine.workflows.ChangeEnvironment.request;
import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.component.PodRollout;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.PlanAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A paused App waits before the next step; everything else works during the pause. */
class PauseIT {
  private static final String SENTINEL = "7-config-sentinel";
  private static final String NODES = "7-config-nodes";

  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);
  private final FakeCluster cluster = env.cluster;

  @Test
  void shouldWaitBeforeTheNextTaskUntilResumed() {
    // Given
    env.during("apply sentinel/all", () -> env.change(request(8).in(true, false)));
    var held = new AtomicReference<List<String>>();
    onReport(
        progress -> progress.hold().paused() && env.phases().getFirst() == TaskPhase.DONE,
        () -> {
          held.set(List.copyOf(cluster.operations));
          env.change(9);
        });
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(held.get()).endsWith("settle 7-config-sentinel");
    assertThat(cluster.operations)
        .containsSubsequence("settle 7-config-sentinel", "open 7-config-nodes", "plan 9");
  }

  @ParameterizedTest
  @CsvSource({"RESOURCES, apply", "REMOVE, remove"})
  void shouldWaitBeforeTheNextGroupUntilResumed(ChangeType type, String step) {
    // Given
    var held = new AtomicBoolean();
    cluster.planner = change -> Plans.inTurn(7, type, "nodes");
    cluster.fault =
        operation ->
            operation.equals(step + " nodes/shard-1") && held.compareAndSet(false, true)
                ? fails(FaultKind.PAUSED, "App cache is paused")
                : null;
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations)
        .containsSubsequence(
            step + " nodes/shard-0",
            step + " nodes/shard-1",
            "await resume",
            step + " nodes/shard-1")
        .containsOnlyOnce("await resume");
  }

  @ParameterizedTest
  @CsvSource({"RESOURCES, apply", "REMOVE, remove"})
  void shouldPreparePodsAgainWhenResumed(ChangeType type, String step) {
    // Given
    var held = new AtomicBoolean();
    cluster.planner = change -> Plans.inTurn(7, type, "nodes");
    cluster.leaving.put("shard-0", List.of(new LeavingPod("s0-2", "u2")));
    cluster.fault =
        operation ->
            operation.equals(step + " nodes/shard-0") && held.compareAndSet(false, true)
                ? fails(FaultKind.PAUSED, "App cache is paused")
                : null;
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations)
        .containsSubsequence(
            "drain s0-2",
            step + " nodes/shard-0",
            "await resume",
            "drain s0-2",
            step + " nodes/shard-0");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldPutThePodsInOrderAgainWhenResumed(int batchSize) {
    // Given
    var held = new AtomicBoolean();
    cluster.planner =
        change -> Plans.batches(batchSize, Plans.inTurn(7, ChangeType.CONFIG, "nodes"));
    cluster.pausedBefore =
        request -> request.pod().name().equals("s0-0") && held.compareAndSet(false, true);
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations)
        .containsSubsequence("replace s0-1", "await resume", "order nodes/shard-0", "replace s0-0")
        .containsOnlyOnce("await resume")
        .containsOnlyOnce("replace s0-1");
  }

  @Test
  void shouldNotFollowAStaleOrderAfterManyPauses() {
    // Given
    var held = new AtomicInteger();
    cluster.planner = change -> Plans.inTurn(7, ChangeType.CONFIG, "nodes");
    cluster.pausedBefore = request -> held.incrementAndGet() <= PodRollout.MOST_ORDERS;
    cluster.stale =
        request -> request.lastOrder() ? Optional.of("the last order") : Optional.empty();
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.lastReport().notes().degradedOrder()).isEmpty();
  }

  @Test
  void shouldCancelATaskThatIsPausedBeforeAGroup() {
    // Given
    cluster.planner = change -> Plans.inTurn(7, ChangeType.RESOURCES, "nodes");
    cluster.fault =
        operation ->
            operation.equals("apply nodes/shard-1")
                ? fails(FaultKind.PAUSED, "App cache is paused")
                : null;
    env.whenHangingAt(
        "await resume", () -> env.open().signal("cancelTasks", cancel("7-resources-nodes")));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Cancelled: ");
  }

  @Test
  void shouldContinueWhenThePlanFindsThatTheAppIsResumed() {
    // Given
    env.during("plan 7", () -> cluster.paused = false);
    // When
    env.change(request(7).in(true, false));
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
  }

  @Test
  void shouldNotWaitForApprovalWhenThereIsNothingToDo() {
    // Given
    cluster.planner = change -> new PlanAnswer.Planned(Plans.nothing(7));
    // When
    env.change(request(7).in(true, false));
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
  }

  @Test
  void shouldNotPauseADeletion() {
    // When
    env.change(ChangeEnvironment.deletion(7).in(true, false));
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
  }

  @Test
  void shouldEndWhenAllRemainingTasksAreCancelledDuringAPause() {
    // Given
    onReport(ChangeProgress::planned, () -> env.open().signal("cancelTasks", cancel(SENTINEL)));
    // When
    env.change(request(7).in(true, false));
    // Then
    assertThat(env.result()).startsWith("Cancelled: ");
    assertThat(env.phases()).containsExactly(TaskPhase.CANCELLED, TaskPhase.SKIPPED);
  }

  @Test
  void shouldCancelARunningTaskDuringAPause() {
    // Given
    env.whenHangingAt("replace s0-1", () -> env.change(request(8).in(true, false)));
    onReport(
        progress -> progress.hold().paused(),
        () -> env.open().signal("cancelTasks", cancel(NODES)));
    cluster.planner =
        change ->
            change.generation() == 7
                ? Plans.inTurn(7, ChangeType.CONFIG, "nodes")
                : new PlanAnswer.Planned(Plans.nothing(8));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.ends())
        .containsExactly(
            "7 Cancelled: cancelled by request; 7-config-nodes Cancelled (left s0-1, s0-0)",
            "8 Succeeded");
  }

  @Test
  void shouldNotRollBackBeforeTheEndOfThePauseUnlessCancelledAgain() {
    // Given
    cluster.planner =
        change ->
            change.generation() == 7
                ? Plans.undoing(7, Plans.ROLLBACK, "nodes")
                : new PlanAnswer.Planned(Plans.nothing(8));
    env.whenHangingAt(
        "replace s0-1",
        () -> {
          env.change(request(8).in(true, false));
          env.update("cancelTasks", cancel(NODES));
        });
    onReport(
        progress -> progress.hold().paused() && env.message(NODES).endsWith("rolling back"),
        () -> env.open().signal("cancelTasks", cancel(NODES)));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.ends().getFirst())
        .isEqualTo("7 Cancelled: cancelled by request; 7-config-nodes Cancelled (left s0-1, s0-0)");
    assertThat(cluster.operations).doesNotContain("reopen 7-config-nodes");
  }

  @Test
  void shouldNotCountThePauseTowardsTheTimeLimit() {
    // Given
    try (var env = ChangeEnvironment.withApp(true)) {
      var cluster = env.cluster;
      cluster.planner = change -> Plans.inTurn(7, ChangeType.CONFIG, "sentinel");
      cluster.fault =
          operation -> {
            if (operation.equals("apply sentinel/all") && env.isFirst(operation)) {
              env.change(request(8).in(true, false));
              env.temporal.registerDelayedCallback(Duration.ofMinutes(10), () -> env.change(9));
              return fails(FaultKind.CONFLICT, "taken");
            }
            return null;
          };
      // When
      env.change(7);
      env.temporal.sleep(Duration.ofMinutes(11));
      // Then
      assertThat(cluster.ends().getFirst()).isEqualTo("7 Succeeded");
    }
  }

  @Test
  void shouldStayPausedWhenNoWorkerRanBeforeTheTimeLimit() {
    // Given a run that writes its status from before the pause until after the time limit
    cluster.planner =
        change ->
            change.generation() == 7
                ? Plans.within(
                    Duration.ofSeconds(3), Plans.inTurn(7, ChangeType.CONFIG, "sentinel"))
                : new PlanAnswer.Planned(Plans.nothing(change.generation()));
    env.during(
        "apply sentinel/all",
        () -> {
          cluster.seen =
              status -> {
                cluster.seen = later -> {};
                LockSupport.parkNanos(Duration.ofMillis(3500).toNanos());
              };
          env.open().signal("orderDegraded", "no agent answers");
          LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
          env.change(request(8).in(true, false));
          env.await(() -> cluster.lastReport().hold().paused());
          env.change(9);
        });
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.ends().getFirst()).isEqualTo("7 Succeeded");
  }

  private void onReport(Predicate<ChangeProgress> when, Runnable action) {
    var done = new AtomicBoolean();
    cluster.seen =
        progress -> {
          if (when.test(progress) && done.compareAndSet(false, true)) {
            action.run();
          }
        };
  }
}
