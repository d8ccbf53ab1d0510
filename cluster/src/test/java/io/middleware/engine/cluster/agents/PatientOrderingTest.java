package io.middleware.engine.cluster.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.middleware.engine.api.plugin.OrderFallbackMode;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Agents that do not answer at once. */
class PatientOrderingTest extends OrderingScene {

  @Test
  void shouldReplaceTheLastKnownPrimaryLastWhenNoAgentAnswers() {
    // Given
    first.failure = Status.UNAVAILABLE.withDescription("election");
    second.failure = first.failure;
    lastPrimary = Optional.of("db-0");
    // When
    var order = podOrder(4);
    // Then
    assertThat(heartbeats)
        .anyMatch(
            text ->
                text.matches("shown: waiting for the agents' order of the pods of g: .*election"))
        .endsWith("done");
    assertThat(order.pods())
        .containsExactly(
            new OutdatedPod("db-1", "uid-of-db-1", Optional.empty()),
            new OutdatedPod("db-0", "uid-of-db-0", Optional.of("primary"), true));
    assertThat(order.degraded().orElseThrow())
        .endsWith("fallback for upgrade: in name order, the last known primary db-0 last");
  }

  @Test
  void shouldNotWaitForAgentsThatHang() {
    // Given
    first.hangs = true;
    second.hangs = true;
    hurry = Duration.ofMillis(400);
    var began = System.nanoTime();
    // When
    var order = ordering().groupOrder(request());
    // Then
    assertThat(order).isEqualTo(ExecutionOrder.UNANSWERED);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(deadline);
  }

  @Test
  void shouldFailWhenTheStatefulSetIsDeletedBeforeItsControllerHasObservedIt() {
    // Given
    view.sets.clear();
    deleted = true;
    // When, Then
    assertThatThrownBy(() -> podOrder(4))
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("Conflict"))
        .hasMessageContaining(
            "StatefulSet db was deleted while the task was working on it; the next attempt creates it again");
  }

  @Test
  void shouldLimitTheQuestionsToAgentsOfOnePlugin() {
    // Given
    var taken = List.of(brief.take("redis").orElseThrow(), waiting.take("redis").orElseThrow());
    // When, Then
    assertThat(ordering().groupOrder(request())).isEqualTo(ExecutionOrder.UNANSWERED);
    assertThatThrownBy(() -> ordering().awaitGroupOrder(request()))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.isNonRetryable()).isFalse();
              assertThat(e.getNextRetryDelay()).isEqualTo(Duration.ofSeconds(1));
            })
        .hasMessageContaining("1 orders of agents of Plugin redis are waited for");
    taken.forEach(PluginSlots.Slot::close);
    assertThat(ordering().awaitGroupOrder(request()).degraded()).isEmpty();
  }

  @Test
  void shouldSayWhatItWaitsForAndEndWhenCancelled() {
    // Given
    first.failure = Status.UNAVAILABLE.withDescription("election");
    second.hangs = true;
    var cancelled = new IllegalStateException("cancelled");
    var began = new AtomicLong();
    var waiter =
        new ClusterWaiter(
            view,
            message -> {
              if (message.contains("election") && began.compareAndSet(0, System.nanoTime())) {
                throw cancelled;
              }
            });
    // When, Then
    assertThatThrownBy(() -> ordering(waiter).awaitGroupOrder(request())).isSameAs(cancelled);
    assertThat(Duration.ofNanos(System.nanoTime() - began.get())).isLessThan(deadline);
  }

  @Test
  void shouldProvisionSeveralGroupsWhereThePluginAllowsNoFallback() {
    view.pods.clear();
    fallback = Map.of("provision", OrderFallbackMode.FAIL);
    assertThat(groupOrder(ChangeType.PROVISION))
        .isEqualTo(new ExecutionOrder(List.of("s-2", "s-10"), false));
  }
}
