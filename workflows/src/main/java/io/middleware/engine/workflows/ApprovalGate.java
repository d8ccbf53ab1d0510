package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.temporal.workflow.Workflow;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A plan that needs approval begins exactly as it was shown, or not at all. */
final class ApprovalGate {
  private final ChangeState state;
  private final OperatorRequests requests;
  private final ChangePlan plan;

  ApprovalGate(ChangeState state, OperatorRequests requests, ChangePlan plan) {
    this.state = state;
    this.requests = requests;
    this.plan = plan;
  }

  /**
   * Waits for the approval where the plan needs one.
   *
   * @param overtaken whether an edit replaces the plan
   * @return whether the plan is approved, or needs no approval
   */
  boolean await(BooleanSupplier overtaken) {
    if (plan.approval().isEmpty()) {
      return true;
    }
    state.awaitsApproval(plan.approval().get());
    Workflow.await(
        () -> isApproved() || overtaken.getAsBoolean() || state.tasks().ready().isEmpty());
    return isApproved();
  }

  private boolean isApproved() {
    return plan.approval().filter(requests::isApproved).isPresent();
  }

  /**
   * Plans again, as a Plugin or a template may have changed since the plan was shown.
   *
   * @return the answer when it is not the approved plan; empty when it is, which begins now
   */
  Optional<PlanAnswer> planChanged(Supplier<PlanAnswer> planning) {
    if (plan.approval().isPresent()) {
      var answer = planning.get();
      if (!isApprovedPlan(answer)) {
        return Optional.of(answer);
      }
    }
    state.approved();
    return Optional.empty();
  }

  private boolean isApprovedPlan(PlanAnswer answer) {
    return answer instanceof Planned planned && planned.plan().approval().equals(plan.approval());
  }
}
