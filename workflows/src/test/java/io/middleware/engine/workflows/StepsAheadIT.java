package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ChangeEnvironment.cancel;
import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.PodOrder;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The step of the next pod is scheduled while the pod before it gets ready. */
class StepsAheadIT {
  private static final String TASK = "7-versionupgrade-nodes";

  @RegisterExtension final ChangeEnvironment env = new ChangeEnvironment(false);
  private final FakeCluster cluster = env.cluster;
  private final AtomicLong scheduled = new AtomicLong();

  @BeforeEach
  void start() {
    cluster.groups.put("nodes", List.of("shard-0"));
    cluster.pods.put("shard-0", List.of("s0-2", "s0-1", "s0-0"));
    cluster.planner =
        change -> Plans.inTurn(change.generation(), ChangeType.VERSION_UPGRADE, "nodes");
  }

  @Test
  void shouldScheduleOneStepAheadAndKeepTheOrder() {
    // Given
    env.during("replace s0-2", () -> scheduled.set(steps()));
    // When
    env.change(7).getResult(String.class);
    // Then
    assertThat(scheduled).hasValue(2);
    assertThat(steps()).isEqualTo(3);
    assertThat(cluster.operations)
        .containsSubsequence("replace s0-2", "replace s0-1", "replace s0-0");
  }

  @Test
  void shouldScheduleNoneAheadWhereTheUserWantsAnInterval() {
    // Given
    cluster.planner =
        change ->
            Plans.every(
                Duration.ofMillis(10),
                Plans.inTurn(change.generation(), ChangeType.VERSION_UPGRADE, "nodes"));
    env.during("replace s0-2", () -> scheduled.set(steps()));
    // When
    env.change(7).getResult(String.class);
    // Then
    assertThat(scheduled).hasValue(1);
  }

  @Test
  void shouldScheduleNoneAheadForAnOrderOfAnOlderEngine() {
    // Given
    cluster.orders =
        order ->
            new PodOrder(
                order.pods(), order.degraded(), order.agents(), order.switchover(), false, false);
    env.during("replace s0-2", () -> scheduled.set(steps()));
    // When
    env.change(7).getResult(String.class);
    // Then
    assertThat(scheduled).hasValue(1);
    assertThat(cluster.operations)
        .containsSubsequence("replace s0-2", "replace s0-1", "replace s0-0");
  }

  @Test
  void shouldNotTouchTheNextPodWhenOneFails() {
    // Given
    cluster.fault =
        operation ->
            operation.equals("replace s0-2") ? fails(FaultKind.AGENT_REFUSED, "not now") : null;
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Failed");
    assertThat(cluster.operations).doesNotContain("replace s0-1", "replace s0-0");
    assertThat(types()).contains(EventType.EVENT_TYPE_ACTIVITY_TASK_CANCELED);
  }

  @Test
  void shouldNotTouchTheNextPodWhenTheTaskIsCancelled() {
    // Given
    env.whenHangingAt("replace s0-2", () -> env.update("cancelTasks", cancel(TASK)));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Cancelled");
    assertThat(cluster.operations).doesNotContain("replace s0-1", "replace s0-0");
  }

  @Test
  void shouldNotTouchTheNextPodOfAnOrderThatIsStale() {
    // Given
    cluster.stale =
        request -> {
          var moved = request.pod().name().equals("s0-2") && cluster.made.madeFrom("s0-0") == 0;
          if (moved) {
            cluster.pods.put("shard-0", List.of("s0-0", "s0-2", "s0-1"));
          }
          return moved ? Optional.of("pod s0-2 is primary now") : Optional.empty();
        };
    // When
    env.change(7).getResult(String.class);
    // Then
    assertThat(cluster.operations.stream().filter(it -> it.endsWith(" s0-1"))).hasSize(1);
    assertThat(cluster.operations)
        .containsSubsequence("leave s0-2", "replace s0-0", "replace s0-2", "replace s0-1");
  }

  /** Steps of pods that are scheduled. */
  private long steps() {
    return env.history("/7/" + TASK)
        .filter(HistoryEvent::hasActivityTaskScheduledEventAttributes)
        .map(event -> event.getActivityTaskScheduledEventAttributes().getActivityType().getName())
        .filter("ReplacePod"::equals)
        .count();
  }

  private List<EventType> types() {
    return env.history("/7/" + TASK).map(HistoryEvent::getEventType).toList();
  }
}
