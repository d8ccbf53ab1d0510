package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ChangeEnvironment.cancel;
import static io.middleware.engine.workflows.ChangeEnvironment.request;
import static io.middleware.engine.workflows.ChangeEnvironment.retry;
import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.HookPoint;
import io.middleware.engine.api.task.TaskHook;
import io.middleware.engine.api.task.TaskHooks;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.PlanAnswer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A task runs actions of the Plugin before its first group is touched, and after its last one. */
public class HookIT {
  private static final String TASK = "7-versionupgrade-nodes";
  private static final String BEFORE = "beforeUpgrade check on nodes/shard-0";
  private static final String AFTER = "afterUpgrade snapshot on nodes/shard-0";
  public static final TaskHooks BOTH =
      new TaskHooks(
          Optional.of(new TaskHook(HookPoint.BEFORE_UPGRADE, "check")),
          Optional.of(new TaskHook(HookPoint.AFTER_UPGRADE, "snapshot")));

  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);
  private final FakeCluster cluster = env.cluster;

  /** Which workflow carries out the groups. */
  enum Shape {
    OF_THE_TASK(UnaryOperator.identity()),
    OF_EACH_GROUP(Plans::apart),
    OF_THE_APP(Plans::inRun);

    private final UnaryOperator<Function<ChangeRef, PlanAnswer>> plan;

    Shape(UnaryOperator<Function<ChangeRef, PlanAnswer>> plan) {
      this.plan = plan;
    }
  }

  private void plan(Shape shape, TaskHooks hooks) {
    if (shape == Shape.OF_THE_APP) {
      cluster.groups.put("nodes", List.of("shard-0"));
    }
    cluster.planner =
        Plans.hooked(
            hooks,
            shape.plan.apply(
                change -> Plans.undoing(7, ChangeType.VERSION_UPGRADE, Plans.ROLLBACK, "nodes")));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void shouldRunBeforeAllGroupsAndAfterAllGroups(Shape shape) {
    // Given
    plan(shape, BOTH);
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    var several = cluster.groups.get("nodes").size() > 1;
    assertThat(cluster.operations)
        .startsWith("plan 7", "open " + TASK, BEFORE)
        .containsSubsequence(
            several
                ? List.of(
                    BEFORE,
                    BEFORE.replace("shard-0", "shard-1"),
                    "apply nodes/shard-0",
                    "converged nodes/shard-0",
                    "apply nodes/shard-1",
                    "converged nodes/shard-1",
                    AFTER,
                    AFTER.replace("shard-0", "shard-1"))
                : List.of(BEFORE, "apply nodes/shard-0", "converged nodes/shard-0", AFTER))
        .endsWith(several ? AFTER.replace("shard-0", "shard-1") : AFTER, "settle " + TASK);
    assertThat(cluster.hookSteps).hasSize(several ? 4 : 2).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource(HookPoint.class)
  void shouldRunAtItsPoint(HookPoint point) {
    // Given
    var hook = Optional.of(new TaskHook(point, "check"));
    var none = Optional.<TaskHook>empty();
    var hooks = point.isBefore() ? new TaskHooks(hook, none) : new TaskHooks(none, hook);
    var type =
        Arrays.stream(ChangeType.values())
            .filter(it -> HookPoint.of(it).anyMatch(point::equals))
            .findFirst()
            .orElseThrow();
    cluster.planner = Plans.hooked(hooks, change -> Plans.inTurn(7, type, "sentinel"));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    var id = "7-%s-sentinel".formatted(type.label().toLowerCase(Locale.ROOT));
    var ran = "%s check on sentinel/all".formatted(point.label());
    if (point.isBefore()) {
      assertThat(cluster.operations).startsWith("plan 7", "open " + id, ran).hasSizeGreaterThan(4);
    } else {
      assertThat(cluster.operations).endsWith(ran, "settle " + id).hasSizeGreaterThan(4);
    }
    assertThat(cluster.hookSteps).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void shouldTouchNothingWhenTheHookBeforeFails(Shape shape) {
    // Given
    plan(shape, BOTH);
    failing(BEFORE);
    // When
    env.change(7);
    // Then
    assertFailed();
    assertThat(cluster.operations).contains("reopen " + TASK).noneMatch(it -> it.contains("apply"));
    assertThat(cluster.operations).filteredOn(HookIT::isHook).containsExactly(BEFORE);
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void shouldRollBackWithoutHooksWhenTheHookAfterFails(Shape shape) {
    // Given
    plan(shape, BOTH);
    failing(AFTER);
    // When
    env.change(7);
    // Then
    assertFailed();
    assertThat(env.message(TASK)).contains("code 3").endsWith("rolled back");
    assertThat(cluster.operations)
        .containsSubsequence(AFTER, "reopen " + TASK, "restore nodes/shard-0", "settle " + TASK);
    assertThat(cluster.operations).filteredOn(AFTER::equals).hasSize(1);
    assertThat(cluster.operations).filteredOn(BEFORE::equals).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void shouldRunAgainAsAnotherStepInTheNextAttempt(Shape shape) {
    // Given
    plan(shape, BOTH);
    cluster.fault =
        operation ->
            operation.equals("apply nodes/shard-0") && env.isFirst(operation)
                ? fails(FaultKind.CONFLICT, "somebody else owns it")
                : null;
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(env.task(TASK).attempts()).isEqualTo(2);
    assertThat(cluster.operations).filteredOn(BEFORE::equals).hasSize(2);
    assertThat(cluster.hookSteps).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void shouldRunAgainAsAnotherStepInARetry(Shape shape) {
    // Given
    plan(shape, BOTH);
    failing(BEFORE);
    env.change(7);
    assertFailed();
    cluster.fault = operation -> null;
    // When
    env.change(request(7).again(retry(TASK)));
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations).filteredOn(BEFORE::equals).hasSize(2);
    assertThat(cluster.hookSteps).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void shouldEndWhenTheTaskIsCancelled(Shape shape) {
    // Given
    plan(shape, BOTH);
    env.whenHangingAt(BEFORE, () -> env.update("cancelTasks", cancel(TASK)));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Cancelled: cancelled by request");
    assertThat(cluster.operations).noneMatch(it -> it.startsWith("apply"));
  }

  @Test
  void shouldEndWithTheTimeOfItsTask() {
    // Given
    cluster.planner =
        Plans.hooked(
            BOTH,
            change ->
                Plans.within(
                    Duration.ofSeconds(3), Plans.inTurn(7, ChangeType.VERSION_UPGRADE, "nodes")));
    cluster.waiting = AFTER;
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Failed: ");
    assertThat(env.task(TASK).fault().orElseThrow().reason()).isEqualTo("TaskTimedOut");
    assertThat(cluster.operations).doesNotContain("settle " + TASK);
  }

  @Test
  void shouldReportAnOrderThatIsNotTheAgentsOwn() {
    // Given
    plan(Shape.OF_THE_APP, BOTH);
    cluster.degradedHook = "no agent answers";
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.lastReport().notes().degradedOrder()).contains("no agent answers");
  }

  @Test
  void shouldNotBeAskedForInAChildWithoutHooks() {
    // Given
    cluster.planner = change -> Plans.inTurn(7, ChangeType.VERSION_UPGRADE, "nodes");
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    var begun = env.history("/7/" + TASK).findFirst().orElseThrow();
    assertThat(begun.getWorkflowExecutionStartedEventAttributes().getInput().getPayloadsCount())
        .isEqualTo(3);
    assertThat(cluster.hookSteps).isEmpty();
  }

  private void failing(String hook) {
    cluster.fault =
        operation ->
            operation.equals(hook) ? fails(FaultKind.HOOK_FAILED, "hook: failed: code 3") : null;
  }

  private void assertFailed() {
    assertThat(env.result()).startsWith("Failed: ");
    assertThat(env.task(TASK).fault().orElseThrow().reason()).isEqualTo("HookFailed");
    assertThat(env.task(TASK).attempts()).isEqualTo(1);
  }

  private static boolean isHook(String operation) {
    return operation.contains("Upgrade ");
  }
}
