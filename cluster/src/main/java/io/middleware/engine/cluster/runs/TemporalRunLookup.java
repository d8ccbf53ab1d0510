package io.middleware.engine.cluster.runs;

import io.grpc.StatusRuntimeException;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.workflows.port.ChangeRef;
import io.temporal.activity.Activity;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowExecutionDescription;
import io.temporal.client.WorkflowNotFoundException;
import java.util.Optional;

/** Asks the Temporal server that the calling activity came from. */
public final class TemporalRunLookup implements RunLookup {

  @Override
  public boolean isRunning(ChangeRef change) {
    return newest(change.workflowId(), change.runId())
        .filter(run -> run.getStatus() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING)
        .isPresent();
  }

  /**
   * Whether this run is the newest of the workflow; it may have ended.
   *
   * @throws io.temporal.failure.ApplicationFailure when that cannot be looked up
   */
  public boolean isNewest(String workflowId, String runId) {
    return newest(workflowId, runId).isPresent();
  }

  private static Optional<WorkflowExecutionDescription> newest(String workflowId, String runId) {
    var client = Activity.getExecutionContext().getWorkflowClient();
    try {
      return Optional.of(client.newUntypedWorkflowStub(workflowId).describe())
          .filter(newest -> runId.equals(newest.getExecution().getRunId()));
    } catch (WorkflowNotFoundException e) {
      return Optional.empty();
    } catch (WorkflowException | StatusRuntimeException e) {
      throw Faults.of(
          FaultKind.UNAVAILABLE,
          "look up the current run of %s: %s".formatted(workflowId, e.getMessage()));
    }
  }
}
