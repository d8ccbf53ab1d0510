package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ChangeEnvironment.request;
import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.temporal.api.enums.v1.EventType;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A newer edit does not wait where the App says so. */
class SupersedeIT {

  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);
  private final FakeCluster cluster = env.cluster;

  @Test
  void shouldSupersedeAPausedChangeWithoutResumingIt() {
    // Given
    env.whenHangingAt(
        "replace s0-1",
        () -> {
          env.change(request(8).in(true, false));
          env.change(request(9).in(true, true));
        });
    cluster.planner =
        change ->
            change.generation() == 7
                ? Plans.inTurn(7, ChangeType.CONFIG, "sentinel", "nodes")
                : new PlanAnswer.Planned(Plans.nothing(change.generation()));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.ends().getFirst()).startsWith("7 Superseded");
  }

  /** It is paused from its request on, not only once its plan says so. */
  @Test
  void shouldSupersedeAPausedChangeThatIsStillPlanned() {
    // Given
    env.during("plan 7", () -> env.change(request(8).in(true, true)));
    cluster.planner =
        change ->
            change.generation() == 7
                ? Plans.inTurn(7, ChangeType.CONFIG, "sentinel", "nodes")
                : new PlanAnswer.Planned(Plans.nothing(change.generation()));
    // When
    env.change(request(7).in(true, false));
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.ends().getFirst()).startsWith("7 Superseded");
  }

  @Test
  void shouldBeFoundByThePluginThatTheNextChangeUses() {
    // Given
    env.during("replace s0-0", () -> env.change(request(8).using(Optional.of("redis-v2.0.0"))));
    // When
    env.change(request(7).using(Optional.of("redis-v1.0.0")));
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(env.open().describe().getTypedSearchAttributes().get(ChangeSearchAttributes.PLUGIN))
        .isEqualTo("redis-v2.0.0");
  }

  @Test
  void shouldPauseAndNotStopForAnEditThatOnlyPauses() {
    // Given
    env.during("replace s0-0", () -> env.change(request(8).in(true, true)));
    cluster.seen =
        progress -> {
          if (progress.hold().paused() && env.isFirst("replace s0-0")) {
            env.change(9);
          }
        };
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.ends().getFirst()).isEqualTo("7 Succeeded");
  }

  @Test
  void shouldStopTheChangeAndContinueFromTheCurrentState() {
    // Given
    env.whenHangingAt("replace s0-0", () -> env.change(request(8).in(false, true)));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.ends())
        .containsExactly(
            "7 Superseded: a newer edit continues from the current state; 7-config-sentinel Done;"
                + " 7-config-nodes Cancelled",
            "8 Succeeded");
    assertThat(cluster.made.madeFrom("s0-0")).isEqualTo(8);
  }

  @Test
  void shouldPlanAgainAtOnceWhenAnEditArrivesDuringThePause() {
    // Given
    cluster.planner = change -> new PlanAnswer.Planned(Plans.nothing(8));
    cluster.fault =
        operation ->
            operation.equals("plan 7") && env.isFirst(operation)
                ? fails(FaultKind.CONFLICT, "taken")
                : null;
    cluster.seen =
        progress -> {
          if (progress.hold().planningFault().isPresent() && progress.pending().isEmpty()) {
            env.change(request(8).in(false, true));
          }
        };
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(env.events()).doesNotContain(EventType.EVENT_TYPE_TIMER_FIRED);
    assertThat(cluster.operations).containsExactly("plan 7", "plan 7");
    assertThat(cluster.lastReport().change().generation()).isEqualTo(8);
  }

  @Test
  void shouldBeginNoTaskOfAPlanThatIsAlreadySuperseded() {
    // Given
    env.during("plan 7", () -> env.change(request(8).in(false, true)));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.ends())
        .containsExactly(
            "7 Superseded: a newer edit continues from the current state; 7-config-sentinel Cancelled;"
                + " 7-config-nodes Cancelled",
            "8 Succeeded");
    assertThat(cluster.operations).startsWith("plan 7", "plan 8");
  }

  @Test
  void shouldStopARollback() {
    // Given
    cluster.planner =
        change ->
            change.generation() == 7
                ? Plans.undoing(7, Plans.ROLLBACK, "nodes")
                : Plans.inTurn(8, ChangeType.CONFIG, "nodes");
    cluster.fault =
        operation ->
            operation.equals("replace s0-0") && env.isFirst(operation)
                ? fails(FaultKind.INVALID, "cannot evict")
                : null;
    env.whenHangingAt("restore nodes/shard-0", () -> env.change(request(8).in(false, true)));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.ends())
        .containsExactly(
            "7 Failed: task 7-config-nodes failed: cannot evict; the rollback was cancelled",
            "8 Succeeded");
  }

  @Test
  void shouldCarryOutAnEditAfterTheChangeByDefault() {
    // Given
    env.during("replace s0-0", () -> env.change(8));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.ends()).containsExactly("7 Succeeded", "8 Succeeded");
  }
}
