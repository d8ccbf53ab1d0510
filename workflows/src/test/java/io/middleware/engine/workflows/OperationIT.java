package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ChangeEnvironment.ID;
import static io.middleware.engine.workflows.ChangeEnvironment.deletion;
import static io.middleware.engine.workflows.ChangeEnvironment.operation;
import static io.middleware.engine.workflows.ChangeEnvironment.request;
import static io.middleware.engine.workflows.ChangeEnvironment.retry;
import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.PlanAnswer.NotBegun;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.PlanAnswer.Rejected;
import io.middleware.engine.workflows.request.ChangeScope;
import io.middleware.engine.workflows.request.OperationRequest;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * An Operation and the App's edits take turns in one workflow, and nothing is lost between them.
 */
class OperationIT {
  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);
  private final FakeCluster cluster = env.cluster;

  @BeforeEach
  void planRestarts() {
    cluster.planner =
        change ->
            change.operation().isPresent()
                ? Plans.inTurn(change.generation(), ChangeType.RESTART, "sentinel", "nodes")
                : new Planned(Plans.nothing(change.generation()));
  }

  @Test
  void shouldCarryOutAnOperation() {
    // When
    env.operate("restart-1");
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations)
        .startsWith("plan restart-1", "open 7-restart-sentinel")
        .contains("replace s0-1", "replace s0-0");
    assertThat(cluster.lastReport().change().operation()).hasValue(operation("restart-1"));
  }

  @Test
  void shouldSwitchOverWithoutTouchingAnObject() {
    // Given
    cluster.planner = change -> Plans.inTurn(change.generation(), ChangeType.SWITCHOVER, "nodes");
    // When
    env.operate("switchover-1");
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations)
        .containsExactlyInAnyOrder(
            "plan switchover-1",
            "open 7-switchover-nodes",
            "switch over nodes/shard-0",
            "switch over nodes/shard-1",
            "settle 7-switchover-nodes");
  }

  @Test
  void shouldRebuildWithoutTouchingAnObject() {
    // Given
    cluster.planner = change -> Plans.inTurn(change.generation(), ChangeType.REBUILD, "sentinel");
    // When
    env.operate("rebuild-1");
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations)
        .containsExactly(
            "plan rebuild-1",
            "open 7-rebuild-sentinel",
            "rebuild sentinel/all",
            "settle 7-rebuild-sentinel");
  }

  @Test
  void shouldRotateSecretsWithoutTouchingAnObject() {
    // Given
    cluster.planner =
        change -> Plans.inTurn(change.generation(), ChangeType.ROTATE_SECRETS, "nodes");
    // When
    env.operate("rotate-1");
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations)
        .containsExactly(
            "plan rotate-1",
            "open 7-rotatesecrets-nodes",
            "publish secrets of nodes",
            "retire secrets of nodes",
            "settle 7-rotatesecrets-nodes");
  }

  @Test
  void shouldSayWhyAPrimaryDoesNotSwitchOver() {
    // Given
    cluster.planner = change -> Plans.inTurn(change.generation(), ChangeType.SWITCHOVER, "nodes");
    cluster.fault =
        operation ->
            operation.startsWith("switch over")
                ? fails(FaultKind.AGENT_REFUSED, "pod s0-0 is still the primary of group s0")
                : null;
    // When
    env.operate("switchover-1");
    // Then
    assertThat(env.result())
        .startsWith("Failed")
        .endsWith("pod s0-0 is still the primary of group s0");
  }

  @Test
  void shouldRunAnActionOfThePluginAndTouchNothingElse() {
    // Given
    cluster.planner =
        change -> Plans.inTurn(change.generation(), ChangeType.ACTION, "sentinel", "nodes");
    // When
    env.operate("flush-1");
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations)
        .containsExactlyInAnyOrder(
            "plan flush-1",
            "open 7-action-sentinel",
            "run action sentinel/all",
            "settle 7-action-sentinel",
            "open 7-action-nodes",
            "run action nodes/shard-0",
            "run action nodes/shard-1",
            "settle 7-action-nodes");
  }

  @Test
  void shouldNotRepeatAnActionThatFailed() {
    // Given
    cluster.planner = change -> Plans.inTurn(change.generation(), ChangeType.ACTION, "nodes");
    cluster.fault =
        operation ->
            operation.startsWith("run action") ? fails(FaultKind.ACTION_FAILED, "code 3") : null;
    // When
    env.operate("flush-1");
    // Then
    assertThat(env.result()).startsWith("Failed").contains("code 3");
    assertThat(cluster.operations).filteredOn(it -> it.startsWith("run action")).hasSize(1);
  }

  @Test
  void shouldCarryOutAnEditAfterIt() {
    // Given
    env.during("replace s0-0", () -> env.change(8));
    // When
    env.operate("restart-1");
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations).endsWith("settle 7-restart-nodes", "plan 8");
    assertThat(cluster.lastReport().change().operation()).isEmpty();
  }

  @Test
  void shouldStopForAnEditThatSupersedes() {
    // Given
    env.whenHangingAt("replace s0-0", () -> env.change(request(8).in(false, true)));
    // When
    env.operate("restart-1");
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.ends().getFirst()).startsWith("7 Superseded");
    assertThat(cluster.operations).endsWith("plan 8");
  }

  @Test
  void shouldStopForTheDeletionOfItsApp() {
    // Given
    env.whenHangingAt("replace s0-0", () -> env.change(deletion(8)));
    // When
    env.operate("restart-1");
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations).endsWith("plan 8");
  }

  @Test
  void shouldMakeRoomForAnEditThatComesFirst() {
    // Given
    cluster.planner =
        change ->
            change.operation().isPresent()
                ? new NotBegun("generation 8 is carried out first")
                : new Planned(Plans.nothing(change.generation()));
    env.during("plan restart-1", () -> env.change(8));
    // When
    env.operate("restart-1");
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations).containsExactly("plan restart-1", "plan 8");
  }

  @Test
  void shouldEndAtOnceWhenItCannotBegin() {
    // Given
    cluster.planner = change -> new NotBegun("it has ended already: Succeeded");
    // When
    env.operate("restart-1");
    // Then
    assertThat(env.result()).isEqualTo("Superseded: it has ended already: Succeeded");
  }

  @Test
  void shouldCarryOutTheEditThatTheRunBeforeHasPassedOn() {
    // When
    var request = new OperationRequest(operation("restart-1")).and(request(8));
    env.start(ID, "AppChangeWorkflow", request(7).of(request));
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations).startsWith("plan restart-1").endsWith("plan 8");
  }

  @Test
  void shouldBeCancelledAndRestartNoFurtherPod() {
    // Given
    env.whenHangingAt(
        "replace s0-1",
        () ->
            assertThat(env.update("cancelChange", ChangeScope.ofOperation("restart-1")))
                .isEqualTo("cancel of Operation restart-1 (Restart) accepted"));
    // When
    env.operate("restart-1");
    // Then
    assertThat(env.result()).startsWith("Cancelled");
    assertThat(cluster.operations).doesNotContain("replace s0-0", "reopen 7-restart-nodes");
  }

  @Test
  void shouldRefuseRequestsThatMeanAnotherChange() {
    // Given
    env.during(
        "replace s0-1",
        () ->
            assertThat(
                    List.of(
                        env.refusal("cancelChange", ChangeScope.of(7)),
                        env.refusal("cancelChange", ChangeScope.of(8)),
                        env.refusal("cancelChange", ChangeScope.ofOperation("restart-2")),
                        env.refusal("approve", "c0ffee00")))
                .containsExactly(
                    "the change of generation 7 has ended; Operation restart-1 (Restart) is being carried out",
                    "the change of generation 8 has not begun; Operation restart-1 (Restart) is being carried out",
                    "Operation restart-2 is not being carried out, but Operation restart-1 (Restart)",
                    "no plan of Operation restart-1 (Restart) waits for approval"));
    // When
    env.operate("restart-1");
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
  }

  @Test
  void shouldRefuseARetryOfItsTasks() {
    // Given
    cluster.fault =
        operation ->
            operation.equals("open 7-restart-nodes")
                ? fails(FaultKind.INVALID, "no such component")
                : null;
    env.during(
        "settle 7-restart-sentinel",
        () ->
            assertThat(env.refusal("retryTasks", retry("7-restart-sentinel")))
                .startsWith("Operation restart-1 (Restart) is being carried out"));
    // When
    env.operate("restart-1");
    // Then
    assertThat(env.result()).startsWith("Failed");
  }

  @Test
  void shouldSayWhyItIsRefused() {
    // Given
    cluster.planner =
        change -> new Rejected(7, "OperationRefused", "spec.target.component: App cache has no db");
    // When
    env.operate("restart-1");
    // Then
    assertThat(env.result()).contains("App cache has no db");
  }
}
