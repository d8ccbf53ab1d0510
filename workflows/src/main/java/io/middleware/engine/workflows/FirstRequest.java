package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangeOutcome;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The wait of a run that was started without a wish. One that nobody ever tells what to do must not
 * stay open: what operators asked of it would be done to an edit that comes days later.
 */
final class FirstRequest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private FirstRequest() {}

  /** A wish that came with the start leaves no timer in the history. */
  static void await(Supplier<Boolean> came) {
    if (!came.get()) {
      Workflow.await(PATIENCE, came);
    }
  }

  /** The end of a run without a change, as one line for people; there is no App to write it to. */
  static String missed() {
    var rejected = ChangeOutcome.REJECTED.label();
    Workflow.upsertTypedSearchAttributes(ChangeSearchAttributes.OUTCOME.valueSet(rejected));
    return "%s: no generation to carry out came within %d s of the start"
        .formatted(rejected, PATIENCE.toSeconds());
  }
}
