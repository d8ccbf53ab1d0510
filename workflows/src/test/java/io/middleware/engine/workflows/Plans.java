package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.RollingPolicy;
import io.middleware.engine.api.task.TaskChecks;
import io.middleware.engine.api.task.TaskHooks;
import io.middleware.engine.api.task.TaskPolicy;
import io.middleware.engine.api.task.UndoPolicy;
import io.middleware.engine.api.task.WatchedChecks;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Plans for tests. */
public final class Plans {
  static final RollingPolicy ROLLING = new RollingPolicy(1, Duration.ZERO);
  public static final UndoPolicy HOLD = new UndoPolicy(false, false);
  public static final UndoPolicy ROLLBACK = new UndoPolicy(true, true);
  static final TaskPolicy POLICY = new TaskPolicy(Duration.ofSeconds(30), 3, Duration.ofSeconds(1));

  private Plans() {}

  /** What a plan is of: a generation, or an Operation. */
  static String subject(ChangeRef change) {
    return change
        .operation()
        .map(OperationRef::name)
        .orElseGet(() -> String.valueOf(change.generation()));
  }

  static ChangePlan nothing(long generation) {
    return new ChangePlan(generation, false, List.of(), ROLLING, HOLD);
  }

  /** A plan with one stage per component. */
  public static PlanAnswer inTurn(long generation, ChangeType type, String... components) {
    var tasks = new ArrayList<ChangeTask>();
    for (var component : components) {
      tasks.add(task(generation, type, component, tasks.size()));
    }
    return new PlanAnswer.Planned(new ChangePlan(generation, false, tasks, ROLLING, HOLD));
  }

  /** The same, with this policy for tasks that do not succeed. */
  public static PlanAnswer undoing(long generation, UndoPolicy undo, String... components) {
    return undoing(generation, ChangeType.CONFIG, undo, components);
  }

  public static PlanAnswer undoing(
      long generation, ChangeType type, UndoPolicy undo, String... components) {
    var plan = (PlanAnswer.Planned) inTurn(generation, type, components);
    return new PlanAnswer.Planned(
        new ChangePlan(generation, false, plan.plan().tasks(), ROLLING, undo));
  }

  /** The same, after a backup of the App. */
  public static PlanAnswer backedUp(PlanAnswer answer) {
    var plan = ((PlanAnswer.Planned) answer).plan();
    var tasks = new ArrayList<>(plan.after(1).tasks());
    tasks.addFirst(task(plan.generation(), ChangeType.BACKUP, "cache", 0));
    return new PlanAnswer.Planned(
        new ChangePlan(plan.generation(), plan.deletion(), tasks, plan.rolling(), plan.undo()));
  }

  /** A plan whose tasks all run together, except the last one, which waits for them. */
  public static PlanAnswer together(long generation, String last, String... components) {
    var tasks = new ArrayList<ChangeTask>();
    for (var component : components) {
      tasks.add(task(generation, ChangeType.CONFIG, component, 0));
    }
    tasks.add(task(generation, ChangeType.CONFIG, last, 1));
    return new PlanAnswer.Planned(new ChangePlan(generation, false, tasks, ROLLING, HOLD));
  }

  /** The same, with short pauses between the attempts of its tasks. */
  public static PlanAnswer hurried(PlanAnswer answer) {
    return with(
        answer, new TaskPolicy(POLICY.timeout(), POLICY.maxRetries(), Duration.ofMillis(50)));
  }

  /** The same, with this time limit for its tasks. */
  static PlanAnswer within(Duration timeout, PlanAnswer answer) {
    return with(answer, new TaskPolicy(timeout, POLICY.maxRetries(), POLICY.retryBackoff()));
  }

  /** The same, with a workflow for each group, as for many pods. */
  static Function<ChangeRef, PlanAnswer> apart(Function<ChangeRef, PlanAnswer> planner) {
    return change -> with(planner.apply(change), task -> edited(task, false, false, task.policy()));
  }

  /** The same, carried out in the App's own run, as for one task of one group. */
  static Function<ChangeRef, PlanAnswer> inRun(Function<ChangeRef, PlanAnswer> planner) {
    return change -> with(planner.apply(change), task -> edited(task, true, true, task.policy()));
  }

  /** The same, whose tasks run these hooks. */
  public static Function<ChangeRef, PlanAnswer> hooked(
      TaskHooks hooks, Function<ChangeRef, PlanAnswer> planner) {
    return change -> with(planner.apply(change), task -> task.with(hooks, task.description()));
  }

  /** The same, with a check after each group and another one after each task. */
  public static Function<ChangeRef, PlanAnswer> checked(Function<ChangeRef, PlanAnswer> planner) {
    var checks = new TaskChecks(List.of("in-sync"), List.of("complete"));
    return change -> with(planner.apply(change), task -> task.checkedBy(checks));
  }

  /** The same, beside whose tasks this component is checked. */
  public static Function<ChangeRef, PlanAnswer> watched(
      String component, Function<ChangeRef, PlanAnswer> planner) {
    var checks = List.of(new WatchedChecks(component, List.of("serves")));
    return change ->
        new PlanAnswer.Planned(
            ((PlanAnswer.Planned) planner.apply(change)).plan().withBackground(checks));
  }

  /** The same, after all of whose tasks this component is checked. */
  static Function<ChangeRef, PlanAnswer> checkedAtTheEnd(
      String component, Function<ChangeRef, PlanAnswer> planner) {
    return change -> {
      var plan = ((PlanAnswer.Planned) planner.apply(change)).plan();
      var check =
          task(plan.generation(), ChangeType.CHECK, component, plan.stages().size())
              .checkedBy(new TaskChecks(List.of(), List.of("complete")));
      return new PlanAnswer.Planned(plan.followedBy(List.of(check)));
    };
  }

  private static PlanAnswer with(PlanAnswer answer, TaskPolicy policy) {
    return with(answer, task -> edited(task, task.inline(), task.inRun(), policy));
  }

  private static ChangeTask edited(
      ChangeTask task, boolean inline, boolean inRun, TaskPolicy policy) {
    return new ChangeTask(
        task.id(),
        task.type(),
        task.component(),
        task.description(),
        task.stage(),
        inline,
        inRun,
        policy,
        task.hooks(),
        task.checks());
  }

  private static PlanAnswer with(PlanAnswer answer, UnaryOperator<ChangeTask> edit) {
    var plan = ((PlanAnswer.Planned) answer).plan();
    var tasks = plan.tasks().stream().map(edit).toList();
    return new PlanAnswer.Planned(
        new ChangePlan(plan.generation(), plan.deletion(), tasks, plan.rolling(), plan.undo()));
  }

  /** The same, with this pause between two pods of a group. */
  static PlanAnswer every(Duration interval, PlanAnswer answer) {
    return rolling(new RollingPolicy(1, interval), answer);
  }

  /** The same, with so many pods of a group in work at once. */
  static PlanAnswer batches(int size, PlanAnswer answer) {
    return rolling(new RollingPolicy(size, Duration.ZERO), answer);
  }

  private static PlanAnswer rolling(RollingPolicy policy, PlanAnswer answer) {
    var plan = ((PlanAnswer.Planned) answer).plan();
    return new PlanAnswer.Planned(
        new ChangePlan(plan.generation(), plan.deletion(), plan.tasks(), policy, plan.undo()));
  }

  public static PlanAnswer removal(long generation, String... components) {
    var plan = (PlanAnswer.Planned) inTurn(generation, ChangeType.REMOVE, components);
    return new PlanAnswer.Planned(
        new ChangePlan(generation, true, plan.plan().tasks(), ROLLING, HOLD));
  }

  static ChangeTask task(long generation, ChangeType type, String component, int stage) {
    var id = generation + "-" + type.label().toLowerCase(Locale.ROOT) + "-" + component;
    return new ChangeTask(
        id, type, component, type.label() + " of " + component, stage, true, false, POLICY);
  }

  public static ApplicationFailure fails(FaultKind kind, String message) {
    return kind.isRetryable()
        ? ApplicationFailure.newFailure(message, kind.label())
        : ApplicationFailure.newNonRetryableFailure(message, kind.label());
  }
}
