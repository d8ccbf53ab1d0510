package io.middleware.engine.workflows.component;

import io.middleware.engine.workflows.port.ChangeRef;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.workflow.SignalExternalWorkflowException;
import io.temporal.workflow.Workflow;
import java.util.function.Consumer;

/**
 * Reports to the root workflow's run at once that an order is not the agents' own: the user learns
 * of it however the step ends.
 */
final class DegradedOrderReport implements Consumer<String> {
  /** Of the workflow of a change, and of that of an Operation. */
  private static final String SIGNAL = "orderDegraded";

  private final ChangeRef change;

  DegradedOrderReport(ChangeRef change) {
    this.change = change;
  }

  @Override
  public void accept(String reason) {
    var run =
        WorkflowExecution.newBuilder()
            .setWorkflowId(change.workflowId())
            .setRunId(change.runId())
            .build();
    try {
      Workflow.newUntypedExternalWorkflowStub(run).signal(SIGNAL, reason);
    } catch (SignalExternalWorkflowException e) {
      Workflow.getLogger(DegradedOrderReport.class)
          .info("run {} has already ended; degraded order not reported", change.runId());
    }
  }
}
