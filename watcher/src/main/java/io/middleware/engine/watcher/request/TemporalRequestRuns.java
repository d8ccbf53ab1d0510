package io.middleware.engine.watcher.request;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.watcher.temporal.TemporalCalls;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowExecutionDescription;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowServiceException;
import io.temporal.client.WorkflowStub;
import java.time.Instant;
import java.util.Optional;

/**
 * The runs in Temporal of requests that have a workflow each, of which one run is open at a time.
 */
public record TemporalRequestRuns<T>(TemporalCalls calls, RequestWorkflow<T> workflow)
    implements RequestRuns<T> {

  @Override
  public boolean start(T request) {
    return calls.withinTimeout(
        () -> {
          try {
            workflow.start(calls.client(), request);
            return true;
          } catch (WorkflowExecutionAlreadyStarted e) {
            return false;
          }
        });
  }

  @Override
  public boolean isOpen(T request) {
    return open(request).isPresent();
  }

  @Override
  public Optional<String> unbegun(T request, Instant since) {
    return open(request)
        .filter(run -> run.getStartTime().isBefore(since))
        .map(run -> new UnbegunRun(run).reason());
  }

  private Optional<WorkflowExecutionDescription> open(T request) {
    var newest = newest(request);
    return calls.withinTimeout(
        () -> {
          try {
            return Optional.of(newest.describe())
                .filter(
                    run ->
                        run.getStatus()
                            == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING);
          } catch (WorkflowNotFoundException e) {
            return Optional.empty();
          }
        });
  }

  @Override
  public boolean cancel(T request) {
    var open = isOpen(request);
    if (open) {
      cancel(newest(request));
    }
    return open;
  }

  private void cancel(WorkflowStub run) {
    calls.withinTimeout(
        () -> {
          try {
            run.cancel();
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

  private WorkflowStub newest(T request) {
    return calls.client().newUntypedWorkflowStub(workflow.id(request));
  }

  private static boolean isRequestedAlready(WorkflowServiceException refusal) {
    return refusal.getCause() instanceof StatusRuntimeException cause
        && cause.getStatus().getCode() == Status.Code.ALREADY_EXISTS;
  }
}
