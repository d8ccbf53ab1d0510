package io.middleware.engine.workflows;

import io.middleware.engine.workflows.port.ChangeRef;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.workflow.SignalExternalWorkflowException;
import io.temporal.workflow.Workflow;

/**
 * Tells the change at once when an order is not the agents' own: however the step ends, the user
 * learns of it.
 */
final class DegradedOrderReport {
  /** Steps told of it by their result before. */
  private static final String SINCE = "order-degraded-signal";

  private DegradedOrderReport() {}

  /**
   * @param why in words for people; empty when the order is the agents' own, and nothing is told
   */
  static void tell(ChangeRef change, String why) {
    if (why.isEmpty()
        || Workflow.getVersion(SINCE, Workflow.DEFAULT_VERSION, 1) == Workflow.DEFAULT_VERSION) {
      return;
    }
    var run =
        WorkflowExecution.newBuilder()
            .setWorkflowId(change.workflowId())
            .setRunId(change.runId())
            .build();
    try {
      Workflow.newExternalWorkflowStub(AppChangeWorkflow.class, run).orderDegraded(why);
    } catch (SignalExternalWorkflowException e) {
      Workflow.getLogger(DegradedOrderReport.class)
          .info("run {} has ended by itself", change.runId());
    }
  }
}
