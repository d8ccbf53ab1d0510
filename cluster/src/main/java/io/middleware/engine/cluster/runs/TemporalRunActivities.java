package io.middleware.engine.cluster.runs;

import io.grpc.StatusRuntimeException;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.RunActivities;
import io.temporal.activity.Activity;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowTargetOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the Temporal server that the calling activity came from. */
public final class TemporalRunActivities implements RunActivities {
  private static final Logger LOG = LoggerFactory.getLogger(TemporalRunActivities.class);

  @Override
  public void cancelRun(ChangeRef change) {
    var run =
        WorkflowTargetOptions.newBuilder()
            .setWorkflowId(change.workflowId())
            .setRunId(change.runId())
            .build();
    try {
      Activity.getExecutionContext().getWorkflowClient().newUntypedWorkflowStub(run).cancel();
    } catch (WorkflowNotFoundException e) {
      LOG.debug("run {} of {} has ended already", change.runId(), change.workflowId(), e);
    } catch (WorkflowException | StatusRuntimeException e) {
      throw Faults.of(
          FaultKind.UNAVAILABLE,
          "cancel run %s of %s: %s".formatted(change.runId(), change.workflowId(), e.getMessage()));
    }
  }

  @Override
  public boolean isOver(RunQuestion question) {
    var run =
        WorkflowTargetOptions.newBuilder()
            .setWorkflowId(question.workflowId())
            .setRunId(question.runId())
            .build();
    try {
      var stub = Activity.getExecutionContext().getWorkflowClient().newUntypedWorkflowStub(run);
      return stub.describe().getCloseTime() != null;
    } catch (WorkflowNotFoundException e) {
      return true;
    } catch (WorkflowException | StatusRuntimeException e) {
      throw Faults.of(
          FaultKind.UNAVAILABLE,
          "describe run %s of %s: %s"
              .formatted(question.runId(), question.workflowId(), e.getMessage()));
    }
  }
}
