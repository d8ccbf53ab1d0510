package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ChangeEnvironment.cancel;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.temporal.api.history.v1.HistoryEvent;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What lets changes succeed when there are more of them than workers can carry out at once. */
class CrowdIT {
  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);
  private final FakeCluster cluster = env.cluster;

  /** The in-memory server has no priorities; the benchmark P5 runs many Apps on real servers. */
  @Test
  void shouldTakePrecedenceOverChangesThatHaveNotBegun() {
    // Given
    cluster.planner = Plans.apart(cluster.planner);
    // When
    env.change(7).getResult(String.class);
    // Then
    var children =
        Stream.of("", "/7/7-config-nodes")
            .flatMap(env::history)
            .filter(HistoryEvent::hasStartChildWorkflowExecutionInitiatedEventAttributes)
            .map(HistoryEvent::getStartChildWorkflowExecutionInitiatedEventAttributes);
    assertThat(children).hasSize(4).allMatch(child -> child.getPriority().getPriorityKey() == 1);
    assertThat(env.history("").findFirst().orElseThrow())
        .matches(
            first -> !first.getWorkflowExecutionStartedEventAttributes().hasPriority(),
            "is as usual");
  }

  @ParameterizedTest
  @CsvSource({"1, engine-new-apps", "7, engine-plans"})
  void shouldLetNewAppsAndEditsWaitInQueuesOfTheirOwn(long generation, String queue) {
    // When
    env.change(generation).getResult(String.class);
    // Then
    assertThat(env.history(""))
        .filteredOn(HistoryEvent::hasActivityTaskScheduledEventAttributes)
        .extracting(HistoryEvent::getActivityTaskScheduledEventAttributes)
        .filteredOn(step -> step.getActivityType().getName().equals("Plan"))
        .extracting(plan -> plan.getTaskQueue().getName())
        .containsExactly(queue);
  }

  @Test
  void shouldReportThatNoCauseWasFoundWhenTheEngineWasLate() {
    // Given
    cluster.planner =
        change -> Plans.within(Duration.ofSeconds(2), Plans.inTurn(7, ChangeType.CONFIG, "nodes"));
    cluster.made.blocker = Optional.empty();
    env.whenHangingAt("replace s0-1", () -> {});
    // When
    env.change(7);
    env.result();
    // Then
    var fault = cluster.lastReport().tasks().getLast().fault().orElseThrow();
    assertThat(fault.message())
        .isEqualTo(
            "timed out after 2s; no cause was found: its steps failed and were retried,"
                + " or waited for a worker of the engine");
  }

  @Test
  void shouldReportTheSameForARollback() {
    // Given
    cluster.planner =
        change -> Plans.within(Duration.ofSeconds(2), Plans.undoing(7, Plans.ROLLBACK, "nodes"));
    cluster.made.blocker = Optional.empty();
    env.whenHangingAt(
        "replace s0-0",
        () -> {
          env.whenHangingAt("restore nodes/shard-0", () -> {});
          env.update("cancelTasks", cancel("7-config-nodes"));
        });
    // When
    env.change(7);
    env.result();
    // Then
    assertThat(env.message("7-config-nodes"))
        .contains("the rollback timed out after 2s; no cause was found");
  }
}
