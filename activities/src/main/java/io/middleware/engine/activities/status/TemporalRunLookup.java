package io.middleware.engine.activities.status;

import io.grpc.StatusRuntimeException;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.ChangeRef;
import io.temporal.activity.Activity;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowNotFoundException;

/** Asks the Temporal server that the calling activity came from. */
public final class TemporalRunLookup implements RunLookup {

  @Override
  public boolean isRunning(ChangeRef change) {
    var client = Activity.getExecutionContext().getWorkflowClient();
    try {
      var newest = client.newUntypedWorkflowStub(change.workflowId()).describe();
      return newest.getStatus() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING
          && change.runId().equals(newest.getExecution().getRunId());
    } catch (WorkflowNotFoundException e) {
      return false;
    } catch (WorkflowException | StatusRuntimeException e) {
      throw Faults.of(
          FaultKind.UNAVAILABLE,
          "look up the current run of %s: %s".formatted(change.workflowId(), e.getMessage()));
    }
  }
}
