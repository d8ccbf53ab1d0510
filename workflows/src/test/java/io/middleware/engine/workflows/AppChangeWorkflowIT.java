package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeProgress.PendingEdit;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.TaskProgress;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowStub;
import io.temporal.failure.CanceledFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AppChangeWorkflowIT {
  private ChangeEnvironment env;
  private FakeCluster cluster;

  @BeforeEach
  void start() {
    start(false);
  }

  private void start(boolean timeSkipping) {
    env = new ChangeEnvironment(timeSkipping);
    cluster = env.cluster;
    cluster.groups.put("nodes", List.of("shard-0", "shard-1"));
    cluster.groups.put("sentinel", List.of("all"));
    cluster.pods.put("shard-0", List.of("s0-1", "s0-0"));
    cluster.planner =
        change ->
            Plans.inTurn(change.generation(), ChangeType.VERSION_UPGRADE, "sentinel", "nodes");
  }

  @AfterEach
  void stop() {
    env.close();
  }

  @Test
  void shouldWorkTaskByTaskGroupByGroupPodByPod() {
    // When
    var result = env.change(7).getResult(String.class);
    // Then
    assertThat(result).isEqualTo("Succeeded");
    assertThat(cluster.operations)
        .containsExactly(
            "plan 7",
            "open 7-versionupgrade-sentinel",
            "apply sentinel/all",
            "order sentinel/all",
            "converged sentinel/all",
            "settle 7-versionupgrade-sentinel",
            "open 7-versionupgrade-nodes",
            "apply nodes/shard-0",
            "order nodes/shard-0",
            "replace s0-1",
            "replace s0-0",
            "converged nodes/shard-0",
            "apply nodes/shard-1",
            "order nodes/shard-1",
            "converged nodes/shard-1",
            "settle 7-versionupgrade-nodes");
    assertThat(phases()).containsExactly(TaskPhase.DONE, TaskPhase.DONE);
    assertThat(outcome()).isEqualTo(ChangeOutcome.SUCCEEDED);
  }

  @Test
  void shouldTouchNothingWhenThePlanIsRejected() {
    // Given
    cluster.planner =
        change -> new PlanAnswer.Rejected(7, "PluginNotFound", "spec.plugin: no plugin redis-v9");
    // When
    env.change(7);
    var result = env.result();
    // Then
    assertThat(result).isEqualTo("Rejected: spec.plugin: no plugin redis-v9");
    assertThat(cluster.operations).containsExactly("plan 7");
    assertThat(cluster.lastReport().end().orElseThrow().reason()).isEqualTo("PluginNotFound");
  }

  @Test
  void shouldRetryATemporaryFaultAndCountTheAttempts() {
    // Given
    restart();
    cluster.fault =
        operation ->
            operation.equals("apply sentinel/all")
                    && cluster.operations.stream().filter(operation::equals).count() <= 2
                ? fails(FaultKind.CONFLICT, "someone else owns spec.replicas")
                : null;
    // When
    var result = env.change(7).getResult(String.class);
    // Then
    assertThat(result).isEqualTo("Succeeded");
    assertThat(cluster.lastReport().tasks().getFirst().attempts()).isEqualTo(3);
  }

  @Test
  void shouldNotRetryAnInvalidStepAndSkipItsDependents() {
    // Given
    cluster.fault =
        operation ->
            operation.equals("apply sentinel/all")
                ? fails(FaultKind.INVALID, "ConfigMap shop/x: unknown field dato")
                : null;
    // When
    env.change(7);
    var result = env.result();
    // Then
    assertThat(result)
        .isEqualTo(
            "Failed: task 7-versionupgrade-sentinel failed: ConfigMap shop/x: unknown field dato");
    assertThat(cluster.operations).doesNotContain("open 7-versionupgrade-nodes");
    assertThat(phases()).containsExactly(TaskPhase.FAILED, TaskPhase.SKIPPED);
    assertThat(cluster.operations.stream().filter("apply sentinel/all"::equals)).hasSize(1);
  }

  @Test
  void shouldTimeOutATaskAndReportWhatItWaitedFor() {
    // Given
    cluster.planner =
        change ->
            Plans.within(
                Duration.ofSeconds(2),
                Plans.inTurn(7, ChangeType.VERSION_UPGRADE, "sentinel", "nodes"));
    env.whenHangingAt("replace s0-1", () -> {});
    // When
    env.change(7);
    env.result();
    // Then
    assertThat(phases()).containsExactly(TaskPhase.DONE, TaskPhase.FAILED);
    var fault = cluster.lastReport().tasks().getLast().fault().orElseThrow();
    assertThat(fault.reason()).isEqualTo("TaskTimedOut");
    assertThat(fault.message())
        .isEqualTo("timed out after 2s while waiting for pod nodes-0: ImagePullBackOff");
    assertThat(cluster.operations).doesNotContain("replace s0-0");
  }

  /** Each pod takes most of the limit, and all of them several times as long. */
  @Test
  void shouldGoOnAsLongAsOneMorePodIsDoneWithinTheLimit() {
    // Given
    cluster.planner =
        change ->
            Plans.within(
                Duration.ofSeconds(10), Plans.inTurn(7, ChangeType.VERSION_UPGRADE, "nodes"));
    cluster.fault =
        operation -> {
          if (operation.startsWith("replace s0-")) {
            var end = System.nanoTime() + Duration.ofSeconds(6).toNanos();
            env.await(() -> System.nanoTime() > end);
          }
          return null;
        };
    // When
    var result = env.change(7).getResult(String.class);
    // Then
    assertThat(result).isEqualTo("Succeeded");
  }

  @Test
  void shouldTimeOutATaskThatMakesNoMoreProgress() {
    // Given
    cluster.planner =
        change ->
            Plans.within(
                Duration.ofSeconds(2), Plans.inTurn(7, ChangeType.VERSION_UPGRADE, "nodes"));
    env.whenHangingAt("replace s0-0", () -> {});
    // When
    env.change(7);
    env.result();
    // Then
    assertThat(cluster.lastReport().tasks().getLast().fault().orElseThrow().message())
        .startsWith("timed out after 2s without progress while waiting for pod nodes-0");
    assertThat(cluster.operations).contains("replace s0-1");
  }

  @Test
  void shouldCarryOutTheNewestPendingGenerationInTheNextRun() {
    // Given
    var signalled = new AtomicReference<WorkflowStub>();
    cluster.fault =
        operation -> {
          if (operation.equals("apply sentinel/all") && signalled.get() == null) {
            signalled.set(env.change(8));
            env.change(12);
            env.change(9);
          }
          return null;
        };
    // When
    env.change(7).getResult(String.class);
    // Then
    assertThat(cluster.operations.stream().filter(operation -> operation.startsWith("plan")))
        .containsExactly("plan 7", "plan 12");
    assertThat(
            cluster.reports.stream()
                .map(ChangeProgress::pending)
                .map(p -> p.map(PendingEdit::generation).orElse(0L)))
        .contains(12L);
    assertThat(cluster.lastReport().notes().superseded()).isEqualTo(4);
    assertThat(outcome()).isEqualTo(ChangeOutcome.SUCCEEDED);
  }

  @Test
  void shouldNotPlanAnEditAgainThatThePlanIncludes() {
    // Given
    cluster.planner =
        change -> {
          env.change(9);
          return Plans.inTurn(9, ChangeType.VERSION_UPGRADE, "sentinel");
        };
    // When
    env.change(7).getResult(String.class);
    // Then
    assertThat(cluster.operations.stream().filter(operation -> operation.startsWith("plan")))
        .containsExactly("plan 7");
    assertThat(cluster.lastReport().change().generation()).isEqualTo(9);
  }

  @Test
  void shouldStopTheChangeAndCarryOutTheDeletion() {
    // Given
    cluster.planner =
        change ->
            change.generation() == 8
                ? Plans.removal(8, "sentinel")
                : Plans.inTurn(7, ChangeType.VERSION_UPGRADE, "sentinel", "nodes");
    cluster.waiting = "replace s0-1";
    cluster.begun = operation -> env.change(ChangeEnvironment.deletion(8));
    // When
    env.change(7).getResult(String.class);
    // Then
    assertRemovedAsGeneration8();
    assertThat(cluster.operations).doesNotContain("replace s0-0", "settle 7-versionupgrade-nodes");
  }

  @Test
  void shouldWaitAgainForPartsThatAnEarlierDeletionLeft() {
    // Given
    cluster.planner = change -> Plans.removal(change.generation(), "sentinel");
    cluster.fault =
        operation ->
            operation.equals("gone sentinel/all")
                    && cluster.operations.stream().filter("plan 8"::equals).count() == 1
                ? fails(FaultKind.FORBIDDEN, "a pod may not be deleted")
                : null;
    var deletion = ChangeEnvironment.deletion(8);
    env.change(deletion);
    env.result();
    assertThat(cluster.operations).doesNotContain("release sentinel/all", "release cache");
    // When
    env.change(deletion).getResult(String.class);
    // Then
    assertRemovedAsGeneration8();
  }

  @Test
  void shouldShowANativeCancelInTheStatusAlthoughTheRunHasNoResult() {
    // Given
    cluster.waiting = "replace s0-1";
    cluster.begun = operation -> env.client().newUntypedWorkflowStub(ChangeEnvironment.ID).cancel();
    // When
    var run = env.change(7);
    // Then
    assertThatThrownBy(() -> run.getResult(String.class))
        .isInstanceOf(WorkflowFailedException.class)
        .hasCauseInstanceOf(CanceledFailure.class);
    assertThat(phases()).containsExactly(TaskPhase.DONE, TaskPhase.CANCELLED);
    assertThat(outcome()).isEqualTo(ChangeOutcome.CANCELLED);
  }

  @Test
  void shouldCancelTheTaskWhoseGroupIsCancelledNatively() {
    // Given
    cluster.planner = Plans.apart(cluster.planner);
    cluster.waiting = "replace s0-1";
    cluster.begun =
        operation ->
            env.client()
                .newUntypedWorkflowStub(ChangeEnvironment.ID + "/7/7-versionupgrade-nodes/shard-0")
                .cancel();
    // When
    env.change(7);
    env.result();
    // Then
    assertThat(phases()).containsExactly(TaskPhase.DONE, TaskPhase.CANCELLED);
    assertThat(cluster.operations).doesNotContain("replace s0-0");
  }

  private void assertRemovedAsGeneration8() {
    assertThat(cluster.operations)
        .endsWith(
            "plan 8",
            "open 8-remove-sentinel",
            "remove sentinel/all",
            "gone sentinel/all",
            "release sentinel/all",
            "settle 8-remove-sentinel",
            "release cache");
  }

  /**
   * Again, with time skipping: only where nothing continues as new, as the in-memory server races
   * there.
   */
  private void restart() {
    env.close();
    start(true);
  }

  private List<TaskPhase> phases() {
    return cluster.lastReport().tasks().stream().map(TaskProgress::phase).toList();
  }

  private ChangeOutcome outcome() {
    return cluster.lastReport().end().orElseThrow().outcome();
  }
}
