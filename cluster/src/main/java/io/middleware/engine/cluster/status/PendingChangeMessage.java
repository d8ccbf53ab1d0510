package io.middleware.engine.cluster.status;

import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.workflows.port.ChangeProgress;

/** What becomes of an edit that was made during a change. */
final class PendingChangeMessage {
  private PendingChangeMessage() {}

  static String of(long pending, ChangeProgress running) {
    return "generation %d starts when the change of generation %d ends"
            .formatted(pending, running.change().generation())
        + advice(running);
  }

  /**
   * A change that is being cancelled is not to be cancelled again: that would stop its rollback.
   */
  private static String advice(ChangeProgress running) {
    if (isBeingCancelled(running)) {
      return ", which is being cancelled";
    }
    return running.hold().paused()
        ? ", which is paused until spec.paused is false"
        : "; to start it now, cancel that change: " + SuggestedCommands.cancel(running.change());
  }

  private static boolean isBeingCancelled(ChangeProgress running) {
    return TaskStatuses.current(running)
        .flatMap(task -> task.fault())
        .filter(fault -> ChangeOutcome.CANCELLED.label().equals(fault.reason()))
        .isPresent();
  }
}
