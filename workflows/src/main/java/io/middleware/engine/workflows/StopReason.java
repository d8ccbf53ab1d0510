package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.workflows.port.TaskProgress.Fault;

/** Why the work of a run is stopped although it could go on. */
enum StopReason {
  /** An operator asked for it; tasks in work are rolled back where the App says so. */
  CANCELLED(ChangeOutcome.CANCELLED, "cancelled by request"),
  /** The App goes, or another of its name has come: nobody needs a rollback. */
  DELETED(ChangeOutcome.CANCELLED, "the App is deleted"),
  /** A newer generation does not wait: it is planned from what is there. */
  SUPERSEDED(ChangeOutcome.SUPERSEDED, "a newer edit goes on from what is there");

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
