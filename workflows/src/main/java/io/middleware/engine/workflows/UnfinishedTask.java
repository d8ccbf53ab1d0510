package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.temporal.ActivityPolicy.brief;

import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.TaskScope.Outcome;
import io.middleware.engine.workflows.port.PodActivities;
import io.middleware.engine.workflows.port.PodActivities.TaskState;
import io.middleware.engine.workflows.port.TaskProgress;
import io.middleware.engine.workflows.port.TaskProgress.Fault;
import io.middleware.engine.workflows.port.TaskProgress.Result;
import io.middleware.engine.workflows.port.TaskRef;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Ends a task that timed out, was cancelled or failed.
 *
 * <ol>
 *   <li>Find out why it ended, and how far it has come.
 *   <li>When it was already complete, and no check has failed, it counts as done.
 *   <li>Roll it back where the App asks for that and the task's type can be rolled back. Nothing is
 *       kept any more to restore one that was complete.
 *   <li>Record the cause and what became of the pods.
 * </ol>
 */
final class UnfinishedTask {
  private static final String TIMED_OUT = "TaskTimedOut";

  private static final String NO_CAUSE =
      "; no cause was found: its steps failed and were retried, or waited for a worker of the"
          + " engine";

  private final ChangeContext context;
  private final ChangeTask task;

  UnfinishedTask(ChangeContext context, ChangeTask task) {
    this.context = context;
    this.task = task;
  }

  void end(Outcome.Unfinished outcome) {
    var cancelled = outcome instanceof Outcome.Cancelled;
    var fault = fault(outcome);
    if (task.type().touchesPods()
        && context.allowsRollback()
        && !FaultKind.SUPERSEDED.label().equals(fault.reason())) {
      var reached = reached(ref());
      if (tasks().isInProgress(task) && reached.isSettled() && !isOfCheck(fault)) {
        tasks().move(task, TaskPhase.DONE);
        return;
      }
      var policy = context.plan().undo();
      var undo = cancelled ? policy.onCancel() : policy.onFailure();
      fault =
          undo && task.type().isReversible() && !wasComplete(fault, reached)
              ? rolledBack(fault, reached)
              : leftAsIs(fault, undo, reached);
    }
    tasks().note(task, fault);
    tasks().endBadly(task, cancelled ? TaskPhase.CANCELLED : TaskPhase.FAILED);
  }

  /** What has reached its goal may still not be as it should be. */
  private static boolean isOfCheck(Fault fault) {
    return FaultKind.CHECK_FAILED.label().equals(fault.reason());
  }

  /** Whether a check has failed when nothing was left that could be restored. */
  private static boolean wasComplete(Fault fault, Reached reached) {
    return isOfCheck(fault) && reached.isSettled();
  }

  private Fault fault(Outcome.Unfinished outcome) {
    return switch (outcome) {
      case Outcome.TimedOut(var afterProgress) ->
          new Fault(TIMED_OUT, timedOut(afterProgress, blocker() + lastFailure()));
      case Outcome.Cancelled() -> context.stop().get().orElse(StopReason.CANCELLED).fault();
      case Outcome.Failed(var fault) -> fault;
    };
  }

  private Fault leftAsIs(Fault fault, boolean undo, Reached reached) {
    stay(reached);
    if (undo && task.type() == ChangeType.STORAGE) {
      return and(
          fault,
          "nothing was rolled back: a volume that has grown cannot shrink" + reached.problem());
    }
    if (undo && wasComplete(fault, reached)) {
      return and(fault, "nothing was rolled back: it was complete already");
    }
    return reached.state().filter(now -> now.current().isEmpty()).isPresent()
        ? fault
        : and(fault, "nothing was rolled back" + reached.problem());
  }

  /** The pods that stay as they are. */
  private void stay(Reached reached) {
    reached
        .state()
        .ifPresent(
            now ->
                tasks()
                    .result(
                        task,
                        new Result(now.current(), List.of(), now.outdated())
                            .without(now.unready())));
  }

  private Fault rolledBack(Fault fault, Reached before) {
    tasks().note(task, and(fault, "rolling back"));
    var outcome =
        new TaskScope(context, task, ref().back())
            .run(new TaskSteps(context, task, ref().back())::run, () -> !context.allowsRollback());
    if (outcome instanceof Outcome.Failed(var why)
        && FaultKind.IRREVERSIBLE.label().equals(why.reason())) {
      stay(before);
      return and(fault, "nothing was rolled back: " + why.message() + before.problem());
    }
    var after = reached(ref().back());
    if (before.state().isPresent() && after.state().isPresent()) {
      tasks().result(task, result(before.state().get(), after.state().get()));
    }
    return and(fault, message(outcome) + (after.isKnown() ? before : after).problem());
  }

  private String message(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Completed() -> "rolled back";
      case Outcome.TimedOut(var afterProgress) ->
          "the rollback " + timedOut(afterProgress, blocker());
      case Outcome.Cancelled() -> "the rollback was cancelled";
      case Outcome.Failed(var fault) -> "the rollback failed: " + fault.message();
    };
  }

  private static Result result(TaskState before, TaskState after) {
    var reverted = new ArrayList<>(after.current());
    reverted.removeAll(before.outdated());
    var done = new ArrayList<>(before.current());
    done.retainAll(after.outdated());
    return new Result(done, reverted, before.outdated()).without(after.unready());
  }

  private static Fault and(Fault fault, String message) {
    return new Fault(fault.reason(), fault.message() + "; " + message);
  }

  /**
   * How far the task has come.
   *
   * @param problem why that is unknown, as the end of a message; empty when it is known
   */
  private record Reached(Optional<TaskState> state, String problem) {
    boolean isKnown() {
      return state.isPresent();
    }

    boolean isSettled() {
      return state.filter(TaskState::settled).isPresent();
    }
  }

  private Reached reached(TaskRef ref) {
    try {
      return new Reached(
          Optional.of(pods("which pods %s has reached".formatted(name(ref))).taskState(ref)), "");
    } catch (ActivityFailure e) {
      return new Reached(
          Optional.empty(),
          "; which pods it has reached is unknown: " + FailureCauses.explain(e).message());
    }
  }

  private String name(TaskRef ref) {
    return (ref.rollback() ? "the rollback of " : "") + task.id();
  }

  private String timedOut(boolean afterProgress, String cause) {
    return "timed out after %ds%s%s"
        .formatted(
            task.policy().timeout().toSeconds(),
            afterProgress ? " without progress" : "",
            cause.isEmpty() ? NO_CAUSE : cause);
  }

  private String blocker() {
    if (!task.type().touchesPods()) {
      return "";
    }
    try {
      return pods("what %s waits for".formatted(task.id()))
          .blocker(ref())
          .map(blocker -> " while waiting for " + blocker)
          .orElse("");
    } catch (ActivityFailure e) {
      return "; what it waited for is unknown: " + FailureCauses.explain(e).message();
    }
  }

  private static PodActivities pods(String summary) {
    return Workflow.newLocalActivityStub(PodActivities.class, brief(summary));
  }

  /** Why the task is not at its first attempt. */
  private String lastFailure() {
    return tasks()
        .find(task.id())
        .flatMap(TaskProgress::fault)
        .map(fault -> "; the last attempt failed: " + fault.message())
        .orElse("");
  }

  private TaskRef ref() {
    return context.ref(task);
  }

  private ChangeTasks tasks() {
    return context.tasks();
  }
}
