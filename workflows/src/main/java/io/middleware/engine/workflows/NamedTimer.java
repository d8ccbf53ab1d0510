package io.middleware.engine.workflows;

import io.temporal.workflow.TimerOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;

/** A pause whose purpose the Web UI shows. */
final class NamedTimer {
  private NamedTimer() {}

  /**
   * @param purpose at most 200 bytes, for people
   * @throws io.temporal.failure.CanceledFailure when the scope is cancelled meanwhile
   */
  static void await(Duration pause, String purpose) {
    Workflow.newTimer(pause, TimerOptions.newBuilder().setSummary(purpose).build()).get();
  }
}
