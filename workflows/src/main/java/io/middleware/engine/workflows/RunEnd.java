package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.temporal.ActivityPolicy.step;

import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.workflows.port.RunActivities;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationErrorCategory;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import java.util.EnumSet;
import java.util.Set;

/** Ends a run so that Temporal's list of runs shows how the change has ended. */
final class RunEnd {
  private static final Set<ChangeOutcome> WELL =
      EnumSet.of(ChangeOutcome.SUCCEEDED, ChangeOutcome.SUPERSEDED);

  private final OpenChange change;
  private final boolean told;

  /** Runs that began before this was so complete, however their change ended. */
  private RunEnd(OpenChange change) {
    this.change = change;
    this.told =
        !WELL.contains(change.state().outcome())
            && Workflow.getVersion("end-tells-outcome", Workflow.DEFAULT_VERSION, 1) >= 1;
  }

  /** Writes the end of a change, also when its run is cancelled. */
  static RunEnd of(OpenChange change) {
    Workflow.newDetachedCancellationScope(() -> report(change)).run();
    return new RunEnd(change);
  }

  private static void report(OpenChange change) {
    change.conclude();
    Workflow.upsertTypedSearchAttributes(
        ChangeSearchAttributes.OUTCOME.valueSet(change.state().outcome().label()));
    Workflow.await(Workflow::isEveryHandlerFinished);
  }

  /**
   * Nothing may be pending. A cancelled run passes nothing on: what arrives from now on is left to
   * the watcher.
   *
   * @return the result of the run, for people
   * @throws ApplicationFailure when the change failed or was rejected
   */
  String result() {
    var state = change.state();
    if (told && state.outcome() == ChangeOutcome.CANCELLED) {
      if (!CancellationScope.current().isCancelRequested()) {
        change.passesNothingOn();
        Workflow.newDetachedCancellationScope(this::cancelRun).run();
      }
    } else if (told) {
      throw failure(state);
    }
    return state.conclusion();
  }

  /** Only a run whose cancel was requested of Temporal can end as cancelled. */
  private void cancelRun() {
    try {
      Workflow.newActivityStub(RunActivities.class, step("end the run as cancelled"))
          .cancelRun(change.state().change());
    } catch (ActivityFailure e) {
      Workflow.getLogger(RunEnd.class)
          .warn("the run completes: {}", FailureCauses.explain(e).message());
    }
  }

  /** Benign: it is the change's failure, not the worker's. */
  private static ApplicationFailure failure(ChangeState state) {
    var failure =
        ApplicationFailure.newBuilder()
            .setMessage(state.conclusion())
            .setType(state.reason())
            .setNonRetryable(true)
            .setCategory(ApplicationErrorCategory.BENIGN)
            .build();
    failure.setStackTrace(new StackTraceElement[0]);
    return failure;
  }
}
