package io.middleware.engine.workflows;

import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.request.ChangeRequest;
import java.util.Optional;

/**
 * Carries an Operation out by the steps of a change; only its lock is another one. Nothing is ever
 * pending, as no edit waits for it.
 */
public final class OperationWorkflowImpl implements OperationWorkflow {
  private Optional<OpenChange> open = Optional.empty();

  @Override
  public String run(ChangeRequest request) {
    FirstRequest.requireOwn(request);
    var change = new OpenChange(request, it -> new ChangeExecution(it).run());
    open = Optional.of(change);
    change.run();
    return RunEnd.of(change).result();
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
