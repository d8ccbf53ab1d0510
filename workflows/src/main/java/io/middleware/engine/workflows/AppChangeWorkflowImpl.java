package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ActivityPolicy.patient;

import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.workflows.TaskRunner.ChangeContext;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanAnswer.Gone;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.PlanAnswer.Rejected;
import io.middleware.engine.workflows.port.ResourceActivities;
import io.middleware.engine.workflows.request.ApproveRequest;
import io.middleware.engine.workflows.request.CancelRequest;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.request.ChangeScope;
import io.middleware.engine.workflows.request.RetryRequest;
import io.temporal.failure.CanceledFailure;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.ContinueAsNewOptions;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Carries one change out and hands a newer generation to the next run.
 *
 * <ol>
 *   <li>The work runs in a scope of its own, which the deletion of the App cancels.
 *   <li>Status and clean-up run detached, so that a cancel of the run cannot stop them.
 *   <li>The look at the pending generation is the last thing; nothing blocks after it.
 *   <li>Handlers only record a wish, and may run before {@link #run}.
 * </ol>
 */
public final class AppChangeWorkflowImpl implements AppChangeWorkflow {
  private final StatusMirror mirror = new StatusMirror(this::change);
  private final UpdateSignals twins = new UpdateSignals(this);
  private ChangeRequest pending;
  private ChangeRequest current;
  private boolean repeated; // its deletion once more, maybe after the last look at the App
  private ChangeState state;
  private RequestInbox requests;
  private CancellationScope work;
  private Optional<StopReason> firstStop = Optional.empty();

  public AppChangeWorkflowImpl() {
    Workflow.registerListener(twins);
  }

  @Override
  public String run(ChangeRequest carried) {
    changed(carried);
    FirstRequest.await(() -> pending != null);
    if (pending == null) {
      return FirstRequest.missed();
    }
    begin();
    try {
      Async.procedure(this::cancelWhenStopped);
      work.run();
    } catch (TemporalFailure e) {
      state.fail(e);
      firstStop = firstStop.or(() -> whyCancelled(e));
    }
    Workflow.newDetachedCancellationScope(this::finish).run();
    if (pending == null && repeated && state.outcome() == ChangeOutcome.FAILED) {
      pending = current;
    }
    if (pending != null) {
      var attributes = ChangeSearchAttributes.ofChange(pending);
      Workflow.continueAsNew(
          ContinueAsNewOptions.newBuilder().setTypedSearchAttributes(attributes).build(), pending);
    }
    return state.conclusion();
  }

  private void begin() {
    current = pending;
    pending = null;
    state = new ChangeState(current, mirror::touch);
    requests = new RequestInbox(state);
    work = Workflow.newCancellationScope(this::carryOut);
    mirror.open();
    current.retry().ifPresent(retry -> state.note("retry of %s accepted".formatted(retry.words())));
    twins.begin(state);
  }

  @Override
  public void changed(ChangeRequest request) {
    repeated |= request != null && current != null && request.repeats(current);
    if (request == null
        || !request.workflowId().equals(Workflow.getInfo().getWorkflowId())
        || (current != null && !request.overtakes(current))
        || (pending != null && !request.overtakes(pending))) {
      return;
    }
    pending = current == null ? request : request.after(current);
    if (state != null) {
      if (pending.paused() && !state.isPaused()) {
        pending = pending.in(true, false); // who asks to hold does not ask to stop
      }
      state.pending(pending);
      state.paused(pending.paused());
    }
  }

  @Override
  public String cancelTasks(CancelRequest request) {
    return known().cancel(request);
  }

  @Override
  public void canCancelTasks(CancelRequest request) {
    known().checkCancel(request);
  }

  @Override
  public String cancelChange(ChangeScope scope) {
    return known().cancelChange(scope);
  }

  @Override
  public void canCancelChange(ChangeScope scope) {
    known().checkCancelChange(scope);
  }

  /** After the end it is the next run that tries them. */
  @Override
  public String retryTasks(RetryRequest request) {
    checkRetry(request);
    var answer = requests.retry(request);
    if (state.hasEnded()) {
      changed((pending == null ? current.forAllTasks() : pending).again(request));
    } else {
      state.tasks().retry(request);
    }
    return answer;
  }

  @Override
  public void canRetryTasks(RetryRequest request) {
    checkRetry(request);
  }

  private void checkRetry(RetryRequest request) {
    known().checkRetry(request);
    if (pending != null && pending.generation() > current.generation()) {
      throw RequestInbox.refused(
          "generation %d takes the place of this change: retry its tasks", pending.generation());
    }
    if (work.isCancelRequested()) {
      throw RequestInbox.refused("the change is being stopped: retry when it has ended");
    }
  }

  @Override
  public String approve(ApproveRequest request) {
    return known().approve(request);
  }

  @Override
  public void canApprove(ApproveRequest request) {
    known().checkApprove(request);
  }

  private RequestInbox known() {
    if (requests == null) {
      throw RequestInbox.notYet();
    }
    return requests;
  }

  @Override
  public void orderDegraded(String why) {
    if (state != null) {
      state.degraded(why);
    }
  }

  @Override
  public ChangeProgress change() {
    return state == null ? null : state.progress();
  }

  private void carryOut() {
    follow(plan());
  }

  private PlanAnswer plan() {
    return new PlanningLoop(state, () -> pending).plan();
  }

  private void follow(PlanAnswer answer) {
    switch (answer) {
      case Gone() -> state.end(ChangeOutcome.SUPERSEDED, "Gone", "the App is gone");
      case Rejected(var generation, var reason, var message) -> {
        takeOn(generation, false);
        state.tasks().clear();
        state.end(ChangeOutcome.REJECTED, reason, message);
      }
      case Planned planned -> {
        takeOn(planned.plan().generation(), planned.plan().paused());
        state.plan(planned, current.retry());
        begin(planned.plan());
      }
    }
  }

  /** The plan carries the newest generation, so it may have overtaken the one that is pending. */
  private void takeOn(long generation, boolean paused) {
    current = current.at(generation);
    state.carriesOut(generation);
    if (pending != null && !pending.overtakes(current)) {
      pending = null;
      state.nothingPending();
    }
    state.paused(pending == null ? paused : pending.paused());
  }

  /** Once it is approved, where that is asked for; an edit meanwhile takes the plan's place. */
  private void begin(ChangePlan plan) {
    var approval = new ApprovalGate(state, requests, plan);
    if (approval.await(() -> pending != null)) {
      approval.planChanged(this::plan).ifPresentOrElse(this::follow, () -> runTasks(plan));
    } else if (pending != null) {
      firstStop = stop().or(() -> Optional.of(StopReason.SUPERSEDED));
    }
  }

  /** Begins what may begin, until nothing is left that could. */
  private void runTasks(ChangePlan plan) {
    var running = new ArrayList<Promise<Void>>();
    var shared = new ChangeContext(state, requests, plan, this::stop);
    try {
      while (isAnyLeft(running)) {
        Workflow.await(() -> mayBegin() || !isAnyLeft(running));
        for (var task : state.tasks().ready()) {
          running.add(Async.procedure(new TaskRunner(shared, task).begun()::run));
        }
      }
    } finally {
      ChildWorkflows.awaitAll(running);
    }
    if (plan.deletion() && state.tasks().areAllDone()) {
      Workflow.newDetachedCancellationScope(this::releaseApp).run();
    }
  }

  private boolean isAnyLeft(List<Promise<Void>> running) {
    return !state.tasks().ready().isEmpty() || !running.stream().allMatch(Promise::isCompleted);
  }

  private boolean mayBegin() {
    return !state.isPaused() && stop().isEmpty() && !state.tasks().ready().isEmpty();
  }

  /** Nothing of the App is left to keep, so no cancel holds it any more. */
  private void releaseApp() {
    Workflow.newActivityStub(ResourceActivities.class, patient("release App"))
        .releaseApp(state.change());
  }

  /** Also after a cancel of the run itself, which ends the wait. */
  private void cancelWhenStopped() {
    try {
      Workflow.await(() -> stop().isPresent());
      firstStop = stop();
    } catch (CanceledFailure e) {
      firstStop = Optional.of(StopReason.CANCELLED);
    }
    var why = firstStop.orElseThrow().fault();
    state.tasks().cancelAllPending(why);
    work.cancel(why.message());
  }

  /** A cancel of the run itself may reach the work before it reaches who watches for it. */
  private Optional<StopReason> whyCancelled(TemporalFailure failure) {
    return FailureCauses.isCancel(failure)
        ? stop().or(() -> Optional.of(StopReason.CANCELLED))
        : Optional.empty();
  }

  private Optional<StopReason> stop() {
    if (pending != null && pending.ends(current)) {
      return Optional.of(StopReason.DELETED);
    }
    if (pending != null && pending.supersedes(current) && state.tasks().arePlanned()) {
      return Optional.of(StopReason.SUPERSEDED);
    }
    return requests.isChangeCancelled() ? Optional.of(StopReason.CANCELLED) : firstStop;
  }

  private void finish() {
    state.conclude(firstStop.or(this::stop));
    mirror.close();
    Workflow.upsertTypedSearchAttributes(
        ChangeSearchAttributes.OUTCOME.valueSet(state.outcome().label()));
    Workflow.await(Workflow::isEveryHandlerFinished);
  }
}
