package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.temporal.workflow.Workflow;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A plan that must be approved begins as it was shown, or not at all. */
final class ApprovalGate {
  /** Runs began what was approved without another look before. */
  private static final String SINCE = "plan-again-when-approved";

  private final ChangeState state;
  private final RequestInbox requests;
  private final ChangePlan plan;

  ApprovalGate(ChangeState state, RequestInbox requests, ChangePlan plan) {
    this.state = state;
    this.requests = requests;
    this.plan = plan;
  }

  /**
   * Waits for the approval where one is asked for.
   *
   * @param overtaken whether an edit takes the plan's place
   * @return whether it is given
   */
  boolean await(BooleanSupplier overtaken) {
    if (plan.approval().isEmpty()) {
      return true;
    }
    state.awaitsApproval(plan.approval());
    Workflow.await(() -> isGiven() || overtaken.getAsBoolean() || state.tasks().ready().isEmpty());
    return isGiven();
  }

  private boolean isGiven() {
    return requests.isApproved(plan.approval());
  }

  /**
   * A Plugin or a template may have changed since the plan was shown, so it is planned again.
   *
   * @return the other plan that it has become; empty when it is the same, which begins now
   */
  Optional<PlanAnswer> otherwise(Supplier<PlanAnswer> planning) {
    if (!plan.approval().isEmpty()
        && Workflow.getVersion(SINCE, Workflow.DEFAULT_VERSION, 1) != Workflow.DEFAULT_VERSION) {
      var answer = planning.get();
      if (!isApproved(answer)) {
        return Optional.of(answer);
      }
    }
    state.awaitsApprovalNoMore();
    return Optional.empty();
  }

  private boolean isApproved(PlanAnswer answer) {
    return answer instanceof Planned planned && planned.plan().approval().equals(plan.approval());
  }
}
