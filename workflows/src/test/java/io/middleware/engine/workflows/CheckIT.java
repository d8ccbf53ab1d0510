package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ChangeEnvironment.cancel;
import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.temporal.api.enums.v1.EventType;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks after the groups of a task, and after the task. */
class CheckIT {
  private static final String TASK = "7-versionupgrade-nodes";
  private static final String LAGS = "check in-sync of nodes/shard-0 did not hold within 60 s";

  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);
  private final FakeCluster cluster = env.cluster;

  /** What carries the groups out. */
  enum Shape {
    TASK_WORKFLOW,
    GROUP_WORKFLOWS,
    APP_RUN
  }

  @ParameterizedTest
  @EnumSource
  void shouldCheckAGroupBeforeTheNextOneAndThenTheComponent(Shape shape) {
    // Given
    upgrade(shape);
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations)
        .containsSubsequence(
            "apply nodes/shard-0",
            "converged nodes/shard-0",
            "check nodes/shard-0",
            "apply nodes/shard-1",
            "check nodes/shard-1",
            "check nodes",
            "settle " + TASK);
    assertThat(cluster.operations).noneMatch(it -> it.startsWith("await checks"));
  }

  @ParameterizedTest
  @EnumSource
  void shouldTouchNoOtherGroupWhenACheckFails(Shape shape) {
    // Given
    upgrade(shape);
    lag();
    // When
    env.change(7);
    // Then
    assertThat(env.result())
        .isEqualTo("Failed: task %s failed: %s; rolled back".formatted(TASK, LAGS));
    assertThat(env.task(TASK).fault().orElseThrow().reason()).isEqualTo("CheckFailed");
    assertThat(env.task(TASK).attempts()).isEqualTo(1);
    assertThat(cluster.operations)
        .doesNotContain("apply nodes/shard-1", "settle nodes")
        .containsSubsequence(
            "await checks nodes/shard-0", "reopen " + TASK, "restore nodes/shard-0")
        .endsWith("settle " + TASK);
    assertThat(checksAfter("reopen " + TASK)).isEmpty();
  }

  @Test
  void shouldFailTheTaskWhenTheComponentIsNotAsItShouldBe() {
    // Given
    upgrade(Shape.TASK_WORKFLOW);
    cluster.unchecked.add("nodes");
    cluster.fault =
        operation ->
            operation.equals("await checks nodes")
                ? fails(FaultKind.CHECK_FAILED, "check complete of nodes did not hold")
                : null;
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Failed: ");
    assertThat(env.phases()).containsExactly(TaskPhase.FAILED);
    assertThat(cluster.operations).contains("check nodes/shard-1");
  }

  @Test
  void shouldWaitUntilTheChecksHold() {
    // Given
    upgrade(Shape.TASK_WORKFLOW);
    cluster.unchecked.add("nodes/shard-0");
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations)
        .containsSubsequence(
            "check nodes/shard-0", "await checks nodes/shard-0", "apply nodes/shard-1");
  }

  @ParameterizedTest
  @EnumSource
  void shouldStopWaitingWhenTheTaskIsCancelled(Shape shape) {
    // Given
    upgrade(shape);
    cluster.unchecked.add("nodes/shard-0");
    env.whenHangingAt("await checks nodes/shard-0", () -> env.update("cancelTasks", cancel(TASK)));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Cancelled: ");
    assertThat(env.message(TASK)).isEqualTo("cancelled by request; rolled back");
    assertThat(cluster.operations).doesNotContain("apply nodes/shard-1");
  }

  @Test
  void shouldAddOneEventForEachCheckThatHoldsAtOnceAndNoneWithoutChecks() {
    // Given
    cluster.planner = planner();
    env.change(7);
    env.result();
    // When
    cluster.planner = Plans.checked(planner());
    env.change(8);
    env.result();
    // Then
    assertThat(events(8, EventType.EVENT_TYPE_MARKER_RECORDED))
        .isEqualTo(events(7, EventType.EVENT_TYPE_MARKER_RECORDED) + 3);
    assertThat(events(8, EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED))
        .isEqualTo(events(7, EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED));
  }

  private long events(int generation, EventType type) {
    return env.history("/%1$d/%1$d-versionupgrade-nodes".formatted(generation))
        .filter(event -> event.getEventType() == type)
        .count();
  }

  private List<String> checksAfter(String operation) {
    var from = cluster.operations.indexOf(operation);
    return cluster.operations.subList(from, cluster.operations.size()).stream()
        .filter(it -> it.startsWith("check ") || it.startsWith("await checks "))
        .toList();
  }

  private void lag() {
    cluster.unchecked.add("nodes/shard-0");
    cluster.fault =
        operation ->
            operation.equals("await checks nodes/shard-0")
                ? fails(FaultKind.CHECK_FAILED, LAGS)
                : null;
  }

  private void upgrade(Shape shape) {
    var checked = Plans.checked(planner());
    cluster.planner =
        switch (shape) {
          case TASK_WORKFLOW -> checked;
          case GROUP_WORKFLOWS -> Plans.apart(checked);
          case APP_RUN -> Plans.inRun(checked);
        };
  }

  private static Function<ChangeRef, PlanAnswer> planner() {
    return change ->
        Plans.undoing(change.generation(), ChangeType.VERSION_UPGRADE, Plans.ROLLBACK, "nodes");
  }
}
