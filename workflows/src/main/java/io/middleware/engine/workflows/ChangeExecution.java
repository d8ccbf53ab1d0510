package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.temporal.ActivityPolicy.patient;

import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanAnswer.Gone;
import io.middleware.engine.workflows.port.PlanAnswer.NotBegun;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.PlanAnswer.Rejected;
import io.middleware.engine.workflows.port.ResourceActivities;
import io.middleware.engine.workflows.temporal.ChildWorkflows;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;

/** Plans a change, waits for the approval where it is needed, and runs the tasks. */
final class ChangeExecution {
  private final OpenChange change;
  private final ChangeState state;

  ChangeExecution(OpenChange change) {
    this.change = change;
    this.state = change.state();
  }

  void run() {
    carryOut(plan());
  }

  private PlanAnswer plan() {
    return new PlanningLoop(state, change::pending, change::passOnWhenLong).plan();
  }

  private void carryOut(PlanAnswer answer) {
    switch (answer) {
      case Gone() -> state.end(ChangeOutcome.SUPERSEDED, "Gone", "the App is gone");
      case NotBegun(var message) -> state.end(ChangeOutcome.SUPERSEDED, "NotBegun", message);
      case Rejected(var generation, var reason, var message) -> {
        change.carriesOut(generation, false);
        state.tasks().clear();
        state.end(ChangeOutcome.REJECTED, reason, message);
      }
      case Planned planned -> {
        change.carriesOut(planned.plan().generation(), planned.plan().paused());
        state.plan(planned, change.current().retry());
        begin(planned.plan());
      }
    }
  }

  /** Begins when the plan is approved, where it needs approval; a new edit replaces the plan. */
  private void begin(ChangePlan plan) {
    var gate = new ApprovalGate(state, change.requests(), plan);
    var isApproved = gate.await(() -> change.pending().isPresent() || change.mustPassOn());
    if (isApproved) {
      gate.planChanged(this::plan).ifPresentOrElse(this::carryOut, () -> runTasks(plan));
    } else {
      change.passOnWhenLong();
      change.supersedeByPending();
    }
  }

  /** Begins each task as soon as it may begin, until no task can begin any more. */
  private void runTasks(ChangePlan plan) {
    var running = new ArrayList<Promise<Void>>();
    var background = new BackgroundChecks(state, plan);
    var context = new ChangeContext(state, change.requests(), plan, change::stop, background);
    try {
      while (isUnfinished(running)) {
        Workflow.await(() -> mayBegin() || !isUnfinished(running) || mustPassOnAfter(running));
        if (mustPassOnAfter(running)) {
          background.end();
          change.passOnWhenLong();
        }
        for (var task : state.tasks().ready()) {
          background.begin();
          running.add(Async.procedure(new TaskRunner(context, task).begun()::run));
        }
      }
    } finally {
      awaitAll(running, background);
    }
    if (plan.deletion() && state.tasks().areAllDone()) {
      Workflow.newDetachedCancellationScope(this::releaseApp).run();
    }
  }

  private static void awaitAll(List<Promise<Void>> running, BackgroundChecks background) {
    try {
      ChildWorkflows.awaitAll(running);
    } finally {
      background.end();
    }
  }

  private boolean isUnfinished(List<Promise<Void>> running) {
    return !state.tasks().ready().isEmpty() || !running.stream().allMatch(Promise::isCompleted);
  }

  private boolean mustPassOnAfter(List<Promise<Void>> running) {
    return change.mustPassOn() && running.stream().allMatch(Promise::isCompleted);
  }

  private boolean mayBegin() {
    return !state.isPaused() && change.stop().isEmpty() && !state.tasks().ready().isEmpty();
  }

  /** All parts of the App are removed, so a cancel no longer holds it. */
  private void releaseApp() {
    Workflow.newActivityStub(
            ResourceActivities.class, patient("release App " + state.change().app()))
        .releaseApp(state.change());
  }
}
