package io.middleware.engine.workflows;

import io.middleware.engine.api.task.Backoff;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanRequest;
import io.middleware.engine.workflows.port.PlanningActivities;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.temporal.ActivityPolicy;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.middleware.engine.workflows.temporal.NamedTimer;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Retries planning until it succeeds, as nothing else can be done without a plan; the status says
 * why it fails.
 */
final class PlanningLoop {
  private static final int ATTEMPTS = 6;
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(5), Duration.ofSeconds(80));

  private final ChangeState state;
  private final Supplier<Optional<ChangeRequest>> pending;
  private final Runnable betweenTries;

  /**
   * @param betweenTries called when a try has failed
   */
  PlanningLoop(
      ChangeState state, Supplier<Optional<ChangeRequest>> pending, Runnable betweenTries) {
    this.state = state;
    this.pending = pending;
    this.betweenTries = betweenTries;
  }

  PlanAnswer plan() {
    state.planning(true);
    try {
      return planned();
    } finally {
      state.planning(false);
    }
  }

  private PlanAnswer planned() {
    var planning =
        Workflow.newActivityStub(
            PlanningActivities.class, ActivityPolicy.plan(state.change(), ATTEMPTS));
    for (var pause = BACKOFF.first(); ; pause = BACKOFF.next(pause)) {
      try {
        return planning.plan(new PlanRequest(state.change(), continuedRun()));
      } catch (ActivityFailure e) {
        var fault = FailureCauses.explain(e);
        if (FailureCauses.isCancel(e) || !FaultKind.isRetryable(fault.reason())) {
          throw e;
        }
        state.planningFailed(fault);
      }
      betweenTries.run();
      awaitEdit(pause);
    }
  }

  /** The run that has passed the change on to this one, or has ended before it. */
  private static Optional<String> continuedRun() {
    return Workflow.getInfo().getContinuedExecutionRunId();
  }

  /** An edit may remove the cause of the failure, and the newest generation is planned. */
  private void awaitEdit(Duration longest) {
    var known = pending.get();
    NamedTimer.await(
        longest,
        "retry of planning in " + NamedTimer.format(longest),
        () -> !pending.get().equals(known));
  }
}
