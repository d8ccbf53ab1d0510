package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ActivityPolicy.step;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanRequest;
import io.middleware.engine.workflows.port.PlanningActivities;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Planning is tried again and again, as nothing else can be done; the status says what is in the
 * way.
 */
final class PlanningLoop {
  private static final int ATTEMPTS = 6;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final PlanningActivities planning =
      Workflow.newActivityStub(PlanningActivities.class, step("plan", ATTEMPTS));
  private final ChangeState state;
  private final Supplier<ChangeRequest> pending;

  PlanningLoop(ChangeState state, Supplier<ChangeRequest> pending) {
    this.state = state;
    this.pending = pending;
  }

  PlanAnswer plan() {
    for (var pause = FIRST_PAUSE; ; pause = doubled(pause)) {
      try {
        return planning.plan(new PlanRequest(state.change()));
      } catch (ActivityFailure e) {
        var fault = FailureCauses.explain(e);
        if (FailureCauses.isCancel(e) || !FaultKind.isRetryable(fault.reason())) {
          throw e;
        }
        state.planningFailed(fault);
      }
      awaitEdit(pause);
    }
  }

  /** An edit may put right what is in the way, and the newest is planned. */
  private void awaitEdit(Duration longest) {
    var known = pending.get();
    Workflow.await(longest, () -> pending.get() != known);
  }

  private static Duration doubled(Duration pause) {
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : pause;
  }
}
