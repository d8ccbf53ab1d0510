package io.middleware.engine.workflows;

import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.request.ApproveRequest;
import io.middleware.engine.workflows.request.CancelRequest;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.request.ChangeScope;
import io.middleware.engine.workflows.request.RetryRequest;
import io.temporal.workflow.Workflow;
import java.util.Optional;

/**
 * Carries one change out, or one Operation, and passes a newer generation to the next run.
 *
 * <ol>
 *   <li>The work runs in a scope of its own, which is cancelled when the change must stop.
 *   <li>Status and clean-up run detached, so that a cancel of the run cannot stop them.
 *   <li>The check for a pending generation is the last step; nothing blocks after it, except that a
 *       change cancelled by request has its run cancelled as well.
 *   <li>A change whose history gets long is passed on too, between two tasks.
 *   <li>Handlers only record a request, and may run before {@link #run}.
 * </ol>
 */
public final class AppChangeWorkflowImpl implements AppChangeWorkflow {
  private final UpdateSignals signals = new UpdateSignals(this);
  private Optional<ChangeRequest> first = Optional.empty();
  private Optional<OpenChange> open = Optional.empty();

  public AppChangeWorkflowImpl() {
    Workflow.registerListener(signals);
  }

  @Override
  public String run(ChangeRequest carried) {
    if (carried != null && carried.work() instanceof OperationRef) {
      FirstRequest.requireOwn(carried);
      return carryOut(carried.before(first));
    }
    changed(carried);
    FirstRequest.await(() -> first.isPresent());
    return first.map(this::carryOut).orElseGet(FirstRequest::missed);
  }

  private String carryOut(ChangeRequest request) {
    var change = new OpenChange(request, it -> new ChangeExecution(it).run());
    open = Optional.of(change);
    signals.begin(change.state());
    change.run();
    var end = RunEnd.of(change);
    change.next().ifPresent(NextRun::start);
    return end.result();
  }

  @Override
  public void changed(ChangeRequest request) {
    var own = Workflow.getInfo().getWorkflowId();
    if (request == null || !request.workflowId(WorkflowIds.cluster(own)).equals(own)) {
      return;
    }
    if (open.isPresent()) {
      open.get().add(request);
    } else if (first.filter(known -> !request.overtakes(known)).isEmpty()) {
      first = Optional.of(first.map(request::insteadOf).orElse(request));
    }
  }

  @Override
  public String cancelTasks(CancelRequest request) {
    return requests().cancel(request);
  }

  @Override
  public void canCancelTasks(CancelRequest request) {
    requests().checkCancel(request);
  }

  @Override
  public String cancelChange(ChangeScope scope) {
    return requests().cancelChange(scope);
  }

  @Override
  public void canCancelChange(ChangeScope scope) {
    requests().checkCancelChange(scope);
  }

  @Override
  public String retryTasks(RetryRequest request) {
    return requests().retry(request);
  }

  @Override
  public void canRetryTasks(RetryRequest request) {
    requests().checkRetry(request);
  }

  @Override
  public String approve(ApproveRequest request) {
    return requests().approve(request);
  }

  @Override
  public void canApprove(ApproveRequest request) {
    requests().checkApprove(request);
  }

  private OperatorRequests requests() {
    return open.map(OpenChange::requests).orElseThrow(OperatorRequests::notYet);
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
