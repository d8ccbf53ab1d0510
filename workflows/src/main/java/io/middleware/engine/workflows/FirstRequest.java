package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.middleware.engine.workflows.temporal.NamedTimer;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The wait of a run that was started without a request. Such a run must not stay open: what
 * operators ask of it would be applied to an edit that arrives days later.
 */
final class FirstRequest {
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

  private FirstRequest() {}

  /** A request that came with the start leaves no timer in the history. */
  static void await(Supplier<Boolean> arrived) {
    if (!arrived.get()) {
      NamedTimer.await(LONGEST_WAIT, "wait for a generation to carry out: at most 1 min", arrived);
    }
  }

  /** Somebody may have started the run of an Operation by hand, under the id of another one. */
  static void requireOwn(ChangeRequest request) {
    var own = Workflow.getInfo().getWorkflowId();
    if (request == null || !request.workflowId(WorkflowIds.cluster(own)).equals(own)) {
      throw ApplicationFailure.newNonRetryableFailure(
          "workflow %s was started without the Operation of its id; create an Operation instead"
              .formatted(own),
          FaultKind.REFUSED.label());
    }
  }

  /** The end of a run without a change, as one line for people; there is no App to write it to. */
  static String missed() {
    var rejected = ChangeOutcome.REJECTED.label();
    Workflow.upsertTypedSearchAttributes(ChangeSearchAttributes.OUTCOME.valueSet(rejected));
    return "%s: no generation to carry out arrived within %d s of the start"
        .formatted(rejected, LONGEST_WAIT.toSeconds());
  }
}
