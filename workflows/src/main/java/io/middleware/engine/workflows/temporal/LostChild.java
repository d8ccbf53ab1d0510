package io.middleware.engine.workflows.temporal;

import static io.middleware.engine.workflows.temporal.ActivityPolicy.step;

import io.middleware.engine.api.task.Backoff;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.RunActivities;
import io.middleware.engine.workflows.port.RunActivities.RunQuestion;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.CompletablePromise;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.time.Duration;

/**
 * A child whose end this run is never told of. A run that was terminated takes its children with
 * it; if it is then reset to an event at which a child was running, the new run waits for that
 * child. So after a cancel, which every wait ends with, Temporal is asked whether the child is
 * still there.
 */
final class LostChild {
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(15), Duration.ofMinutes(5));

  private final ChangeRef change;
  private final Promise<WorkflowExecution> child;

  /**
   * @param child completes when the child has started
   */
  LostChild(ChangeRef change, Promise<WorkflowExecution> child) {
    this.change = change;
    this.child = child;
  }

  /** The end of the child; its loss is a cancel. */
  Promise<Void> orEnd(Promise<Void> end) {
    CompletablePromise<Void> either = Workflow.newPromise();
    either.completeFrom(end);
    CancellationScope.current()
        .getCancellationRequest()
        .thenApply(
            reason -> {
              Workflow.newDetachedCancellationScope(() -> Async.procedure(() -> awaitEnd(either)))
                  .run();
              return reason;
            });
    return either;
  }

  /** Looks ever more seldom: a step may take its time to end. */
  private void awaitEnd(CompletablePromise<Void> either) {
    if (Workflow.getVersion("lost-child", Workflow.DEFAULT_VERSION, 1) < 1) {
      return;
    }
    var pause = BACKOFF.first();
    while (!NamedTimer.await(pause, "wait for the end of a cancelled child", either::isCompleted)) {
      if (child.isCompleted() && child.getFailure() == null && isOver()) {
        either.completeExceptionally(
            new CanceledFailure("the child ended with the run that had started it"));
        return;
      }
      pause = BACKOFF.next(pause);
    }
  }

  private boolean isOver() {
    var run = child.get();
    try {
      return Workflow.newActivityStub(RunActivities.class, step("whether a cancelled child runs"))
          .isOver(new RunQuestion(change, run.getWorkflowId(), run.getRunId()));
    } catch (ActivityFailure e) {
      Workflow.getLogger(LostChild.class)
          .warn("whether it runs is unknown: {}", FailureCauses.explain(e).message());
      return false;
    }
  }
}
