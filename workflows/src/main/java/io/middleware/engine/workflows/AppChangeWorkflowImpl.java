package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ActivityPolicy.patient;

import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanAnswer.Gone;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.PlanAnswer.Rejected;
import io.middleware.engine.workflows.port.PlanRequest;
import io.middleware.engine.workflows.port.PlanningActivities;
import io.middleware.engine.workflows.port.ResourceActivities;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.ContinueAsNewOptions;
import io.temporal.workflow.Workflow;

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
  private ChangeRequest pending;
  private ChangeRequest current;
  private ChangeState state;

  @Override
  public String run(ChangeRequest carried) {
    changed(carried);
    Workflow.await(() -> pending != null);
    current = pending;
    pending = null;
    state = new ChangeState(current, mirror::touch);
    mirror.open();
    var work = Workflow.newCancellationScope(this::carryOut);
    try {
      Async.procedure(() -> cancelWhenEnded(work));
      work.run();
    } catch (TemporalFailure e) {
      state.fail(e);
    }
    Workflow.newDetachedCancellationScope(() -> finish(work.isCancelRequested())).run();
    if (pending != null) {
      Workflow.continueAsNew(
          ContinueAsNewOptions.newBuilder()
              .setTypedSearchAttributes(Attributes.ofChange(pending))
              .build(),
          pending);
    }
    return state.conclusion();
  }

  @Override
  public void changed(ChangeRequest request) {
    if (request == null
        || (current != null && !request.overtakes(current))
        || (pending != null && !request.overtakes(pending))) {
      return;
    }
    pending = current == null ? request : request.after(current);
    if (state != null) {
      state.pending(pending);
    }
  }

  @Override
  public void orderDegraded(String why) {
    if (state != null) {
      state.degraded(why);
    }
  }

  @Override
  public ChangeProgress change() {
    return state == null ? null : state.view();
  }

  private void carryOut() {
    switch (plan()) {
      case Gone() -> state.end(ChangeOutcome.SUPERSEDED, "Gone", "the App is gone");
      case Rejected(var generation, var reason, var message) -> {
        takeOn(generation);
        state.end(ChangeOutcome.REJECTED, reason, message);
      }
      case Planned(var plan) -> {
        takeOn(plan.generation());
        state.plan(plan);
        runStages(plan);
      }
    }
  }

  private PlanAnswer plan() {
    return Workflow.newActivityStub(PlanningActivities.class, patient("plan"))
        .plan(new PlanRequest(state.change()));
  }

  /** The plan carries the newest generation, so it may have overtaken the one that is pending. */
  private void takeOn(long generation) {
    current = current.at(generation);
    state.carriesOut(generation);
    if (pending != null && !pending.overtakes(current)) {
      pending = null;
      state.nothingPending();
    }
  }

  private void runStages(ChangePlan plan) {
    for (var stage : plan.stages()) {
      var begun =
          stage.stream().map(task -> new TaskRunner(state, plan.rolling(), task).begun()).toList();
      ChildWorkflows.awaitAll(begun.stream().map(task -> Async.procedure(task::run)).toList());
      if (!state.areDone(stage)) {
        return;
      }
    }
    if (plan.deletion()) {
      Workflow.newActivityStub(ResourceActivities.class, patient("release App"))
          .releaseApp(state.change());
    }
  }

  private void cancelWhenEnded(CancellationScope work) {
    Workflow.await(() -> pending != null && pending.ends(current));
    work.cancel("the App is deleted");
  }

  private void finish(boolean cancelled) {
    state.conclude(cancelled);
    mirror.close();
    Workflow.upsertTypedSearchAttributes(Attributes.OUTCOME.valueSet(state.outcome().label()));
    Workflow.await(Workflow::isEveryHandlerFinished);
  }
}
