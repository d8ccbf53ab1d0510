package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ActivityPolicy.brief;

import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.ChildWorkflows.Child;
import io.middleware.engine.workflows.port.PodActivities;
import io.middleware.engine.workflows.port.PodActivities.TaskState;
import io.middleware.engine.workflows.port.TaskProgress;
import io.middleware.engine.workflows.port.TaskProgress.Fault;
import io.middleware.engine.workflows.port.TaskProgress.Result;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.failure.ChildWorkflowFailure;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Functions.Proc;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Carries one task out: attempts with growing pauses, all of them within the task's timeout; and,
 * when it does not end well, the way back.
 */
final class TaskRunner {
  private static final String TIMED_OUT = "TaskTimedOut";
  private static final String CANCELLED = "Cancelled";

  private static final String LATE =
      "; nothing is seen that holds it up: its steps failed and were repeated, or waited for a"
          + " worker of the engine";

  private final PodActivities pods =
      Workflow.newLocalActivityStub(PodActivities.class, brief("what the task waits for"));
  private final ChangeContext work;
  private final ChangeTask task;
  private boolean timedOut;
  private String unknown = "";

  /**
   * What tasks work on.
   *
   * @param stop why all work is stopped, if it is
   */
  record ChangeContext(
      ChangeState state,
      RequestInbox requests,
      ChangePlan plan,
      Supplier<Optional<StopReason>> stop) {}

  TaskRunner(ChangeContext work, ChangeTask task) {
    this.work = work;
    this.task = task;
  }

  /** The first attempt begins. */
  TaskRunner begun() {
    tasks().move(task, TaskPhase.IN_PROGRESS);
    return this;
  }

  /** Ends with the task in a terminal phase, whatever happens. */
  void run() {
    try {
      limited(this::attempts, cancels(), () -> false);
      tasks().move(task, TaskPhase.DONE);
    } catch (TemporalFailure e) {
      Workflow.newDetachedCancellationScope(() -> end(e)).run();
    }
  }

  /** Runs the steps within the task's timeout, until a further cancel or until they are to stop. */
  private void limited(Proc steps, int cancelsSeen, Supplier<Boolean> stopped) {
    timedOut = false;
    var scope = Workflow.newCancellationScope(steps::apply);
    var watches =
        Workflow.newCancellationScope(
            () -> {
              // first, so that it wins where no worker was there before both have happened
              watch(
                  () -> {
                    Workflow.await(() -> cancels() > cancelsSeen || stopped.get());
                    scope.cancel(CANCELLED);
                  });
              watch(() -> cancelWhenTimedOut(scope));
            });
    try {
      watches.run();
      scope.run();
    } finally {
      watches.cancel();
    }
  }

  /** Beside the steps; that it ends with them is no failure that anybody should read of. */
  private static void watch(Proc watch) {
    Async.procedure(
        () -> {
          try {
            watch.apply();
          } catch (CanceledFailure e) {
            Workflow.getLogger(TaskRunner.class).debug("nothing is watched any more", e);
          }
        });
  }

  /** The clock stands still while the App is paused. */
  private void cancelWhenTimedOut(CancellationScope scope) {
    var left = task.policy().timeout();
    while (left.isPositive()) {
      Workflow.await(() -> !state().isPaused());
      var began = Workflow.currentTimeMillis();
      var paused = Workflow.await(left, () -> state().isPaused());
      left = paused ? left.minusMillis(Workflow.currentTimeMillis() - began) : Duration.ZERO;
    }
    if (!scope.isCancelRequested()) {
      timedOut = true;
      scope.cancel(TIMED_OUT);
    }
  }

  private void attempts() {
    for (int attempt = 1; ; attempt++) {
      try {
        carryOut(ref());
        return;
      } catch (TemporalFailure e) {
        if (FailureCauses.isCancel(e)) {
          throw e;
        }
        var fault = FailureCauses.explain(e);
        tasks().note(task, fault);
        if (!FaultKind.isRetryable(fault.reason()) || attempt >= task.policy().maxRetries()) {
          throw e;
        }
      }
      tasks().move(task, TaskPhase.RETRY_PENDING);
      NamedTimer.await(
          task.policy().backoffAfter(attempt),
          "before attempt %d of %s".formatted(attempt + 1, task.id()));
      begun();
    }
  }

  /** No step begins while the App is paused. */
  private void carryOut(TaskRef ref) {
    Workflow.await(() -> !state().isPaused());
    var child =
        new Child<>(
            ComponentChangeWorkflow.class,
            ref.workflowId(),
            (ref.rollback() ? "rollback of " : "")
                + "%s %s: %s".formatted(task.type().label(), task.component(), task.description()),
            ChangeSearchAttributes.ofTask(ref.change(), ref.type()));
    var rolling = work.plan().rolling();
    try {
      ChildWorkflows.run(child, workflow -> workflow.run(ref, rolling));
    } catch (ChildWorkflowFailure e) {
      if (!FaultKind.SUPERSEDED.label().equals(FailureCauses.explain(e).reason())) {
        throw e;
      }
      // begun by the run that this one was reset from, whose claim holds no more
      ChildWorkflows.run(child, workflow -> workflow.run(ref, rolling));
    }
  }

  private void end(TemporalFailure failure) {
    var cancelled = !timedOut && FailureCauses.isCancel(failure);
    var fault =
        timedOut
            ? new Fault(TIMED_OUT, timeout(blocked() + lastFailure()))
            : FailureCauses.explain(failure);
    if (cancelled) {
      fault = work.stop().get().orElse(StopReason.CANCELLED).fault();
    }
    if (mayUndo(fault)) {
      var before = standing(ref());
      if (tasks().isInProgress(task) && before.filter(TaskState::settled).isPresent()) {
        tasks().move(task, TaskPhase.DONE);
        return;
      }
      var policy = work.plan().undo();
      fault = afterwards(fault, cancelled ? policy.onCancel() : policy.onFailure(), before);
    }
    tasks().note(task, fault);
    tasks().endBadly(task, cancelled ? TaskPhase.CANCELLED : TaskPhase.FAILED);
  }

  private boolean mayUndo(Fault fault) {
    return mayGoOn() && !FaultKind.SUPERSEDED.label().equals(fault.reason());
  }

  /** Brings the pods back where that is wanted, and says what became of them. */
  private Fault afterwards(Fault fault, boolean undo, Optional<TaskState> before) {
    if (!undo || !task.type().isReversible()) {
      before.ifPresent(
          now -> tasks().result(task, new Result(now.current(), List.of(), now.outdated())));
      if (undo && task.type() == ChangeType.STORAGE) {
        return and(
            fault, "nothing was rolled back: a volume that has grown cannot shrink" + unknown);
      }
      return before.filter(now -> now.current().isEmpty()).isPresent()
          ? fault
          : and(fault, "nothing was rolled back" + unknown);
    }
    tasks().note(task, and(fault, "rolling back"));
    var words = rollBack();
    var after = standing(ref().back());
    if (before.isPresent() && after.isPresent()) {
      tasks().result(task, reverted(before.get(), after.get()));
    }
    return and(fault, words + unknown);
  }

  private static Result reverted(TaskState before, TaskState after) {
    var back = new ArrayList<>(after.current());
    back.removeAll(before.outdated());
    var stays = new ArrayList<>(before.current());
    stays.retainAll(after.outdated());
    return new Result(stays, back, before.outdated());
  }

  private static Fault and(Fault fault, String words) {
    return new Fault(fault.reason(), fault.message() + "; " + words);
  }

  private String rollBack() {
    try {
      limited(() -> carryOut(ref().back()), cancels(), () -> !mayGoOn());
      return "rolled back";
    } catch (TemporalFailure e) {
      if (timedOut) {
        return "the rollback " + timeout(blocked());
      }
      return FailureCauses.isCancel(e)
          ? "the rollback was cancelled"
          : "the rollback failed: " + FailureCauses.explain(e).message();
    }
  }

  private boolean mayGoOn() {
    return work.stop().get().map(StopReason::allowsRollback).orElse(true);
  }

  private Optional<TaskState> standing(TaskRef ref) {
    try {
      return Optional.of(pods.taskState(ref));
    } catch (ActivityFailure e) {
      unknown = "; which pods it has reached is unknown: " + FailureCauses.explain(e).message();
      return Optional.empty();
    }
  }

  private String timeout(String cause) {
    return "timed out after %ds%s"
        .formatted(task.policy().timeout().toSeconds(), cause.isEmpty() ? LATE : cause);
  }

  private String blocked() {
    try {
      return pods.blocker(ref()).map(blocker -> " while waiting for " + blocker).orElse("");
    } catch (ActivityFailure e) {
      return "; what it waited for is unknown: " + FailureCauses.explain(e).message();
    }
  }

  /** Why it is not at its first attempt. */
  private String lastFailure() {
    return tasks()
        .find(task.id())
        .flatMap(TaskProgress::fault)
        .map(fault -> "; the last attempt failed: " + fault.message())
        .orElse("");
  }

  private TaskRef ref() {
    return new TaskRef(state().change(), task.id(), task.type(), task.component());
  }

  private int cancels() {
    return work.requests().cancelsOf(task.id());
  }

  private ChangeTasks tasks() {
    return work.state().tasks();
  }

  private ChangeState state() {
    return work.state();
  }
}
