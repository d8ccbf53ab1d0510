package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.TaskScope.Outcome;
import io.middleware.engine.workflows.port.TaskProgress.Fault;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.middleware.engine.workflows.temporal.NamedTimer;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Workflow;
import java.util.Optional;
import java.util.function.Supplier;

/** Carries one task out: attempts with growing pauses, all of them within the task's time limit. */
final class TaskRunner {
  private final ChangeContext context;
  private final ChangeTask task;

  /** Why a check beside the tasks stops this one. */
  private final Supplier<Optional<Fault>> failedCheck;

  TaskRunner(ChangeContext context, ChangeTask task) {
    this.context = context;
    this.task = task;
    this.failedCheck = context.background().failure();
  }

  /** The first attempt begins. */
  TaskRunner begun() {
    context.tasks().move(task, TaskPhase.IN_PROGRESS);
    return this;
  }

  /** Ends with the task in a terminal phase, whatever happens. */
  void run() {
    var cancels = context.requests().cancelsOf(task.id());
    switch (new TaskScope(context, task, context.ref(task))
        .run(this::attempts, () -> failedCheck.get().isPresent())) {
      case Outcome.Completed() -> context.tasks().move(task, TaskPhase.DONE);
      case Outcome.Unfinished unfinished ->
          Workflow.newDetachedCancellationScope(
                  () -> new UnfinishedTask(context, task).end(cause(unfinished, cancels)))
              .run();
    }
  }

  /** A check that stops the task cancels its steps; a request to cancel it comes first. */
  private Outcome.Unfinished cause(Outcome.Unfinished outcome, int cancelsBefore) {
    var requested =
        context.stop().get().isPresent() || context.requests().cancelsOf(task.id()) > cancelsBefore;
    return outcome instanceof Outcome.Cancelled && !requested
        ? failedCheck.get().<Outcome.Unfinished>map(Outcome.Failed::new).orElse(outcome)
        : outcome;
  }

  private void attempts() {
    for (int attempt = 1; ; attempt++) {
      try {
        new TaskSteps(context, task, context.ref(task)).run();
        return;
      } catch (TemporalFailure e) {
        if (FailureCauses.isCancel(e)) {
          throw e;
        }
        var fault = FailureCauses.explain(e);
        context.tasks().note(task, fault);
        if (!FaultKind.isRetryable(fault.reason()) || attempt >= task.policy().maxRetries()) {
          throw e;
        }
      }
      context.tasks().move(task, TaskPhase.RETRY_PENDING);
      awaitRetry(attempt + 1);
      begun();
    }
  }

  private void awaitRetry(int attempt) {
    var pause = task.policy().backoffAfter(attempt - 1);
    NamedTimer.await(
        pause,
        "retry of %s in %s (attempt %d of %d)"
            .formatted(task.id(), NamedTimer.format(pause), attempt, task.policy().maxRetries()));
  }
}
