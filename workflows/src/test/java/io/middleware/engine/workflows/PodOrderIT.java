package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.TaskProgress;
import io.middleware.engine.workflows.port.TaskQueues;
import io.temporal.api.history.v1.HistoryEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A pod order that is stale, and one that is not the agents' own. */
class PodOrderIT {
  @RegisterExtension final ChangeEnvironment env = new ChangeEnvironment(false);
  private final FakeCluster cluster = env.cluster;

  @BeforeEach
  void start() {
    cluster.groups.put("nodes", List.of("shard-0"));
    cluster.pods.put("shard-0", List.of("s0-1", "s0-0"));
    cluster.planner =
        change -> Plans.inTurn(change.generation(), ChangeType.VERSION_UPGRADE, "nodes");
  }

  @Test
  void shouldAskForANewOrderWhenTheOldOneIsStale() {
    // Given
    cluster.pods.put("shard-0", List.of("s0-1", "s0-2", "s0-0"));
    cluster.stale =
        request -> {
          var moved = request.pod().name().equals("s0-2") && cluster.made.madeFrom("s0-0") == 0;
          if (moved) {
            cluster.pods.put("shard-0", List.of("s0-0", "s0-2"));
          }
          return moved ? Optional.of("pod s0-2 is primary now") : Optional.empty();
        };
    // When
    env.change(7).getResult(String.class);
    // Then
    assertThat(cluster.operations)
        .containsSubsequence(
            "order nodes/shard-0",
            "replace s0-1",
            "leave s0-2",
            "order nodes/shard-0",
            "replace s0-0",
            "replace s0-2",
            "converged nodes/shard-0");
    assertThat(cluster.operations.stream().filter("leave s0-2"::equals)).hasSize(1);
    assertThat(cluster.lastReport().notes().degradedOrder()).isEmpty();
  }

  @Test
  void shouldNeitherAskNorCheckWhatItsStepsHaveAnswered() {
    // Given
    cluster.convergesAtOnce = true;
    // When
    env.change(7).getResult(String.class);
    // Then
    assertThat(cluster.operations)
        .containsSubsequence(
            "apply nodes/shard-0", "order nodes/shard-0", "replace s0-1", "replace s0-0")
        .containsOnlyOnce("order nodes/shard-0")
        .doesNotContain("converged nodes/shard-0");
    assertThat(localActivities("/7/7-versionupgrade-nodes")).isEqualTo(2); // open, settle
  }

  @Test
  void shouldUseTheTenthOrderWhenRolesKeepChanging() {
    // Given
    cluster.stale =
        request -> request.lastOrder() ? Optional.empty() : Optional.of("pod s0-1 is primary now");
    // When
    var result = env.change(7).getResult(String.class);
    // Then
    assertThat(result).isEqualTo("Succeeded");
    assertThat(cluster.operations.stream().filter("order nodes/shard-0"::equals)).hasSize(10);
    assertThat(cluster.operations).containsSubsequence("replace s0-1", "replace s0-0");
    assertThat(cluster.lastReport().notes().degradedOrder())
        .contains(
            "the pods of shard-0 were put in order 10 times; the last order is used although it is stale:"
                + " pod s0-1 is primary now");
  }

  @Test
  void shouldFailTheTaskOnceWhenAPrimaryDoesNotSwitchOver() {
    // Given
    cluster.fault =
        operation ->
            operation.equals("replace s0-0")
                ? fails(FaultKind.AGENT_REFUSED, "pod s0-0: no replica has caught up")
                : null;
    // When
    env.change(7);
    env.result();
    // Then
    assertThat(phases()).containsExactly(TaskPhase.FAILED);
    assertThat(cluster.lastReport().tasks().getFirst().fault())
        .hasValueSatisfying(
            fault -> {
              assertThat(fault.reason()).isEqualTo("AgentRefused");
              assertThat(fault.message()).startsWith("pod s0-0: no replica has caught up");
            });
    assertThat(cluster.operations.stream().filter("replace s0-1"::equals)).hasSize(1);
    assertThat(cluster.operations).doesNotContain("converged nodes/shard-0");
  }

  @Test
  void shouldDrainSurplusPodsBeforeTheGroupIsWritten() {
    // Given
    cluster.leaving.put(
        "shard-0", List.of(new LeavingPod("s0-3", "u3"), new LeavingPod("s0-2", "u2")));
    // When
    env.change(7).getResult(String.class);
    // Then
    assertThat(phases()).containsExactly(TaskPhase.DONE);
    assertThat(cluster.operations)
        .containsSubsequence(
            "drain s0-3", "drain s0-2", "apply nodes/shard-0", "converged nodes/shard-0");
  }

  @Test
  void shouldWriteNothingWhenASurplusPodCannotBeDrained() {
    // Given
    cluster.leaving.put("shard-0", List.of(new LeavingPod("s0-2", "u2")));
    cluster.fault =
        operation ->
            operation.equals("drain s0-2") ? fails(FaultKind.AGENT_REFUSED, "holds slots") : null;
    // When
    env.change(7);
    env.result();
    // Then
    assertThat(phases()).containsExactly(TaskPhase.FAILED);
    assertThat(cluster.operations).doesNotContain("apply nodes/shard-0");
  }

  @Test
  void shouldDrainAGroupBeforeItIsRemoved() {
    // Given
    cluster.planner = change -> Plans.inTurn(7, ChangeType.REMOVE, "nodes");
    cluster.leaving.put(
        "shard-0", List.of(new LeavingPod("s0-1", "u1"), new LeavingPod("s0-0", "u0")));
    // When
    env.change(7).getResult(String.class);
    // Then
    assertThat(phases()).containsExactly(TaskPhase.DONE);
    assertThat(cluster.operations)
        .containsSubsequence(
            "drain s0-1", "drain s0-0", "remove nodes/shard-0", "gone nodes/shard-0");
  }

  @Test
  void shouldKeepTheMessageOfADegradedOrderWhenTheTaskFailsLater() {
    // Given
    cluster.degraded.put("shard-0", "the agent of pod s0-1: UNAVAILABLE");
    cluster.fault =
        operation ->
            operation.equals("replace s0-1") ? fails(FaultKind.INVALID, "cannot evict") : null;
    // When
    env.change(7);
    env.result();
    // Then
    assertThat(phases()).containsExactly(TaskPhase.FAILED);
    assertThat(cluster.lastReport().notes().degradedOrder())
        .contains(cluster.degraded.get("shard-0"));
  }

  @Test
  void shouldKeepTheMessageOfADegradedOrderWhenTheTaskIsCancelled() {
    // Given
    cluster.degraded.put("shard-0", "the agent of pod s0-1: UNAVAILABLE");
    cluster.waiting = "replace s0-1";
    cluster.begun =
        operation ->
            env.client()
                .newUntypedWorkflowStub(ChangeEnvironment.ID + "/7/7-versionupgrade-nodes")
                .cancel();
    // When
    env.change(7);
    env.result();
    // Then
    assertThat(phases()).containsExactly(TaskPhase.CANCELLED);
    assertThat(cluster.operations).doesNotContain("replace s0-0");
    assertThat(cluster.lastReport().notes().degradedOrder())
        .contains(cluster.degraded.get("shard-0"));
  }

  @Test
  void shouldWaitForAgentsThatDoNotAnswerAtOnce() {
    // Given
    cluster.silent.addAll(List.of("nodes", "shard-0"));
    // When
    var result = env.change(7).getResult(String.class);
    // Then
    assertThat(result).isEqualTo("Succeeded");
    assertThat(cluster.operations)
        .containsSubsequence(
            "await order nodes", "await order nodes/shard-0", "replace s0-1", "replace s0-0");
    assertThat(queues("/7/7-versionupgrade-nodes"))
        .filteredOn(TaskQueues.ORDERS::equals)
        .hasSize(2);
  }

  @Test
  void shouldUseNoActivityForAgentsThatAnswerAtOnce() {
    // When
    env.change(7).getResult(String.class);
    // Then
    assertThat(queues("/7/7-versionupgrade-nodes")).doesNotContain(TaskQueues.ORDERS);
  }

  @Test
  void shouldCancelAQuestionInHand() {
    // Given
    cluster.silent.add("shard-0");
    var asked = new AtomicLong();
    env.whenHangingAt(
        "await order nodes/shard-0",
        () -> {
          asked.set(System.nanoTime());
          env.update("cancelChange");
        });
    // When
    env.change(7);
    env.result();
    // Then
    assertThat(Duration.ofNanos(System.nanoTime() - asked.get())).isLessThan(Duration.ofMinutes(1));
    assertThat(phases()).containsExactly(TaskPhase.CANCELLED);
    assertThat(cluster.operations).doesNotContain("replace s0-1");
  }

  private long localActivities(String child) {
    return env.history(child).filter(HistoryEvent::hasMarkerRecordedEventAttributes).count();
  }

  private List<String> queues(String child) {
    return env.history(child)
        .filter(HistoryEvent::hasActivityTaskScheduledEventAttributes)
        .map(event -> event.getActivityTaskScheduledEventAttributes().getTaskQueue().getName())
        .toList();
  }

  private List<TaskPhase> phases() {
    return cluster.lastReport().tasks().stream().map(TaskProgress::phase).toList();
  }
}
