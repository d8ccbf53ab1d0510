package io.middleware.engine.activities.testing;

import io.grpc.StatusRuntimeException;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.testing.port.TestRef;
import io.temporal.activity.Activity;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowNotFoundException;

/** Asks the Temporal server that the calling activity came from. */
public final class TemporalTestRuns implements TestRunLookup {

  @Override
  public boolean isCurrent(TestRef test) {
    var client = Activity.getExecutionContext().getWorkflowClient();
    try {
      var newest = client.newUntypedWorkflowStub(test.workflowId()).describe();
      return test.runId().equals(newest.getExecution().getRunId());
    } catch (WorkflowNotFoundException e) {
      return false;
    } catch (WorkflowException | StatusRuntimeException e) {
      throw Faults.of(
          FaultKind.UNAVAILABLE,
          "look up the current run of %s: %s".formatted(test.workflowId(), e.getMessage()));
    }
  }
}
