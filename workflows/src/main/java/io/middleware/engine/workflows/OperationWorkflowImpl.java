package io.middleware.engine.workflows;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Workflow;
import java.util.Optional;

/**
 * Carries an Operation out by the steps of a change; only its lock is another one. Nothing is ever
 * pending, as no edit waits for it.
 */
public final class OperationWorkflowImpl implements OperationWorkflow {
  private Optional<OpenChange> open = Optional.empty();

  @Override
  public String run(ChangeRequest request) {
    requireOwn(request);
    var change = new OpenChange(request, it -> new ChangeExecution(it).run());
    open = Optional.of(change);
    change.run();
    return RunEnd.of(change).result();
  }

  /** Somebody may have started it by hand. */
  private static void requireOwn(ChangeRequest request) {
    var own = Workflow.getInfo().getWorkflowId();
    if (request == null || !request.workflowId(WorkflowIds.cluster(own)).equals(own)) {
      throw ApplicationFailure.newNonRetryableFailure(
          "workflow %s was started without the Operation of its id; create an Operation instead"
              .formatted(own),
          FaultKind.REFUSED.label());
    }
  }

  @Override
  public void orderDegraded(String why) {
    open.ifPresent(change -> change.state().degraded(why));
  }

  @Override
  public Optional<ChangeProgress> change() {
    return open.map(OpenChange::progress);
  }
}
