package io.middleware.engine.watcher.request;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.watcher.change.TemporalCalls;
import io.middleware.engine.watcher.change.TemporalUnavailableException;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowServiceException;
import java.util.function.Consumer;

/**
 * Starts, looks for and cancels runs of workflows of which one run is open at a time. All methods
 * throw {@link TemporalUnavailableException} when Temporal does not answer.
 */
public final class WorkflowRuns {
  private final TemporalCalls calls;

  public WorkflowRuns(TemporalCalls calls) {
    this.calls = calls;
  }

  /**
   * Starts a run, unless one is open.
   *
   * @param start fails when one is open
   * @return whether a run was started
   */
  public boolean start(Consumer<WorkflowClient> start) {
    return calls.withinTimeout(
        () -> {
          try {
            start.accept(calls.client());
            return true;
          } catch (WorkflowExecutionAlreadyStarted e) {
            return false;
          }
        });
  }

  /** Whether the workflow has an open run. */
  public boolean isOpen(String workflowId) {
    var workflow = calls.client().newUntypedWorkflowStub(workflowId);
    return calls.withinTimeout(
        () -> {
          try {
            return workflow.describe().getStatus()
                == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
          } catch (WorkflowNotFoundException e) {
            return false;
          }
        });
  }

  /**
   * Asks the open run of the workflow to stop. It takes a while to do so; a repeat is harmless.
   *
   * @return whether there is a run
   */
  public boolean cancel(String workflowId) {
    var open = isOpen(workflowId);
    if (open) {
      request(calls.client().newUntypedWorkflowStub(workflowId)::cancel);
    }
    return open;
  }

  private void request(Runnable cancel) {
    calls.withinTimeout(
        () -> {
          try {
            cancel.run();
          } catch (WorkflowNotFoundException e) {
            return false; // it has ended meanwhile
          } catch (WorkflowServiceException e) {
            if (!isRequestedAlready(e)) {
              throw e;
            }
          }
          return true;
        });
  }

  private static boolean isRequestedAlready(WorkflowServiceException refusal) {
    return refusal.getCause() instanceof StatusRuntimeException cause
        && cause.getStatus().getCode() == Status.Code.ALREADY_EXISTS;
  }
}
