package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.workflows.port.TaskProgress.Fault;

/** Why the work of a run is stopped before its end. */
enum StopReason {
  /** An operator requested it; tasks in work are rolled back where the App says so. */
  CANCELLED(ChangeOutcome.CANCELLED, "cancelled by request"),
  /** The App is being deleted, or a new one has its name: a rollback is of no use. */
  DELETED(ChangeOutcome.CANCELLED, "the App is being deleted"),
  /** A newer generation does not wait: it is planned from the current state. */
  SUPERSEDED(ChangeOutcome.SUPERSEDED, "a newer edit continues from the current state");

  private final ChangeOutcome outcome;
  private final String message;

  StopReason(ChangeOutcome outcome, String message) {
    this.outcome = outcome;
    this.message = message;
  }

  ChangeOutcome outcome() {
    return outcome;
  }

  Fault fault() {
    return new Fault(outcome.label(), message);
  }

  boolean allowsRollback() {
    return this == CANCELLED;
  }
}
