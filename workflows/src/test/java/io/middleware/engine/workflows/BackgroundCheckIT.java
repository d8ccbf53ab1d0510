package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ChangeEnvironment.cancel;
import static io.middleware.engine.workflows.ChangeEnvironment.request;
import static io.middleware.engine.workflows.ChangeEnvironment.retry;
import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.TaskQueues;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Checks that are repeated beside the tasks of a change. */
class BackgroundCheckIT {
  private static final String TASK = "7-versionupgrade-nodes";
  private static final String WATCH = "watch checks nodes";
  private static final String REFUSES =
      "check serves of nodes did not hold 3 times in a row: refuses clients";

  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);
  private final FakeCluster cluster = env.cluster;
  private volatile FaultKind failing;

  BackgroundCheckIT() {
    cluster.fault =
        operation ->
            operation.equals("background check") && failing != null
                ? fails(failing, REFUSES)
                : null;
  }

  @Test
  void shouldStopAtThePodInWorkAndRollBack() {
    // Given
    cluster.planner = Plans.watched("nodes", upgrade());
    env.whenHangingAt("replace s0-1", () -> failing = FaultKind.CHECK_FAILED);
    // When
    env.change(7);
    // Then
    assertThat(env.result())
        .isEqualTo("Failed: task %s failed: %s; rolled back".formatted(TASK, REFUSES));
    assertThat(env.task(TASK).fault().orElseThrow().reason()).isEqualTo("CheckFailed");
    assertThat(env.task(TASK).attempts()).isEqualTo(1);
    assertThat(cluster.operations)
        .doesNotContain("apply nodes/shard-1")
        .containsSubsequence(WATCH, "replace s0-1", "reopen " + TASK, "restore nodes/shard-0");
    assertThat(beforeTheRollback()).doesNotContain("replace s0-0");
  }

  /** What could be restored is gone when a task is complete. */
  @Test
  void shouldNotRollBackATaskThatWasComplete() {
    // Given
    cluster.planner = Plans.watched("nodes", upgrade());
    cluster.fault =
        operation ->
            operation.equals("settle " + TASK) ? fails(FaultKind.CHECK_FAILED, REFUSES) : null;
    // When
    env.change(7);
    // Then
    assertThat(env.result())
        .isEqualTo(
            "Failed: task %s failed: %s; nothing was rolled back: it was complete already"
                .formatted(TASK, REFUSES));
    assertThat(env.task(TASK).result().orElseThrow().done())
        .containsExactlyInAnyOrder("s0-0", "s0-1");
    assertThat(cluster.operations).doesNotContain("reopen " + TASK);
  }

  @Test
  void shouldStopAllTasksInWorkAndBeginNoOther() {
    // Given
    cluster.planner =
        Plans.watched("nodes", change -> Plans.together(7, "last", "sentinel", "nodes"));
    env.whenHangingAt(
        "replace s0-1",
        () -> {
          env.await(() -> env.phases().getFirst() == TaskPhase.DONE);
          failing = FaultKind.CHECK_FAILED;
        });
    // When
    env.change(7);
    // Then
    assertThat(env.result()) // they end together
        .matches("Failed: task 7-config-(nodes|sentinel) failed: .*")
        .contains(REFUSES);
    assertThat(env.phases()).containsExactly(TaskPhase.DONE, TaskPhase.FAILED, TaskPhase.SKIPPED);
  }

  @Test
  void shouldEndWithTheTasksWhileItHolds() {
    // Given
    cluster.planner = Plans.watched("nodes", upgrade());
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations).containsOnlyOnce(WATCH);
    assertThat(env.events()).containsOnlyOnce(EventType.EVENT_TYPE_ACTIVITY_TASK_CANCEL_REQUESTED);
  }

  /** Otherwise many changes that are checked would leave no slot for what they wait for. */
  @Test
  void shouldTakeNoSlotOfTheWaits() {
    // Given
    cluster.planner = Plans.watched("nodes", upgrade());
    // When
    env.change(7);
    env.result();
    // Then
    assertThat(
            env.history("")
                .filter(HistoryEvent::hasActivityTaskScheduledEventAttributes)
                .map(HistoryEvent::getActivityTaskScheduledEventAttributes)
                .filter(scheduled -> scheduled.getActivityType().getName().equals("WatchChecks"))
                .map(scheduled -> scheduled.getTaskQueue().getName()))
        .containsExactly(TaskQueues.CHECKS);
  }

  @Test
  void shouldAddAtMostFourEventsAndNoneWithoutChecks() {
    // Given
    cluster.planner = upgrade();
    env.change(7);
    env.result();
    var without = activityEvents();
    assertThat(cluster.operations).doesNotContain(WATCH);
    // When
    cluster.planner = Plans.watched("nodes", upgrade());
    env.change(8);
    env.result();
    // Then
    assertThat(cluster.operations).contains(WATCH);
    assertThat(activityEvents() - without).isBetween(2L, 4L);
  }

  @Test
  void shouldBeginAgainWithARetry() {
    // Given
    cluster.planner = Plans.watched("nodes", change -> Plans.inTurn(7, ChangeType.CONFIG, "nodes"));
    env.whenHangingAt("replace s0-1", () -> failing = FaultKind.CHECK_FAILED);
    env.change(7);
    env.result();
    failing = null;
    // When
    env.change(ChangeEnvironment.request(7).again(retry("7-config-nodes")));
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations.stream().filter(WATCH::equals)).hasSize(2);
  }

  @Test
  void shouldStopTheNextTaskWhenItFailsBetweenTwo() {
    // Given
    var planner =
        Plans.watched("nodes", change -> Plans.inTurn(7, ChangeType.CONFIG, "sentinel", "nodes"));
    cluster.planner =
        change ->
            change.generation() == 7
                ? planner.apply(change)
                : new PlanAnswer.Planned(Plans.nothing(change.generation()));
    env.during("settle 7-config-sentinel", () -> env.change(request(8).in(true, false)));
    env.change(7);
    await(() -> !cluster.reports.isEmpty());
    await(() -> env.phases().equals(List.of(TaskPhase.DONE, TaskPhase.PENDING)));
    failing = FaultKind.CHECK_FAILED;
    await(() -> env.events().contains(EventType.EVENT_TYPE_ACTIVITY_TASK_FAILED));
    failing = null;
    // When
    env.change(9);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.ends().getFirst())
        .startsWith("7 Failed: task 7-config-nodes failed: " + REFUSES);
    assertThat(cluster.operations).containsOnlyOnce(WATCH);
  }

  @Test
  void shouldBeCancelledByRequestWhileItHolds() {
    // Given
    cluster.planner = Plans.watched("nodes", upgrade());
    env.whenHangingAt("replace s0-1", () -> env.update("cancelTasks", cancel(TASK)));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Cancelled: ");
    assertThat(env.message(TASK)).isEqualTo("cancelled by request; rolled back");
  }

  /** The steps find out by themselves that another run has taken over. */
  @Test
  void shouldNotStopForARunThatHasTakenOver() {
    // Given
    cluster.planner = Plans.watched("nodes", upgrade());
    env.during("replace s0-1", () -> failing = FaultKind.SUPERSEDED);
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
  }

  @Test
  void shouldCheckAfterAllTasksAndTouchNothingWhenItFails() {
    // Given
    cluster.planner = Plans.checkedAtTheEnd("nodes", upgrade());
    cluster.unchecked.add("nodes");
    cluster.fault =
        operation ->
            operation.equals("await checks nodes")
                ? fails(FaultKind.CHECK_FAILED, "slot 7 is open")
                : null;
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Failed: task 7-check-nodes failed: slot 7 is open");
    assertThat(env.phases()).containsExactly(TaskPhase.DONE, TaskPhase.FAILED);
    assertThat(cluster.operations)
        .containsSubsequence("settle " + TASK, "check nodes", "await checks nodes")
        .noneMatch(operation -> operation.startsWith("reopen") || operation.contains("7-check"));
  }

  /** Of the App's run; other events depend on how often its status is written. */
  private long activityEvents() {
    return env.events().stream()
        .filter(type -> type.name().startsWith("EVENT_TYPE_ACTIVITY_TASK_"))
        .count();
  }

  private static void await(Supplier<Boolean> condition) {
    while (!condition.get()) {
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  private List<String> beforeTheRollback() {
    return cluster.operations.subList(0, cluster.operations.indexOf("reopen " + TASK));
  }

  private static Function<ChangeRef, PlanAnswer> upgrade() {
    return change ->
        Plans.undoing(change.generation(), ChangeType.VERSION_UPGRADE, Plans.ROLLBACK, "nodes");
  }
}
