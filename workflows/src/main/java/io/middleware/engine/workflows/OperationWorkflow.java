package io.middleware.engine.workflows;

import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.util.Optional;

/**
 * One run is one Operation that excludes nothing: it runs beside the changes of its App and beside
 * other Operations. The id is {@code op/<namespace>/<name of the Operation>}. A cancel of the run
 * cancels the Operation.
 */
@WorkflowInterface
public interface OperationWorkflow {

  /**
   * Carries the Operation out.
   *
   * @param request for the Operation whose workflow this is
   * @return how it ended, in one line for people; the run fails with that line when the Operation
   *     failed or was rejected, and ends as cancelled when it was cancelled
   */
  @WorkflowMethod
  String run(ChangeRequest request);

  /** Sent by a step of this Operation: why its order is not the agents' own. */
  @SignalMethod(description = "For the engine's own use")
  void orderDegraded(String why);

  /** How far the Operation is; empty at the very start. */
  @QueryMethod(description = "How far the Operation is")
  Optional<ChangeProgress> change();
}
