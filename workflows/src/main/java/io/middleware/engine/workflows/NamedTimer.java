package io.middleware.engine.workflows;

import io.temporal.workflow.TimerOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;

/** A pause that says in the Web UI what it is for. */
final class NamedTimer {
  private NamedTimer() {}

  /**
   * @param why at most 200 bytes, for people
   * @throws io.temporal.failure.CanceledFailure when the scope is cancelled meanwhile
   */
  static void of(Duration pause, String why) {
    Workflow.newTimer(pause, TimerOptions.newBuilder().setSummary(why).build()).get();
  }
}
