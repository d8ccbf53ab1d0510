package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.status.ForcedDeletionReport;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.FaultKind;
import io.temporal.activity.Activity;
import io.temporal.failure.ApplicationFailure;

/** Where an App is deleted by force, what cannot be deleted is told and passed over. */
final class ForcedDeletions {
  /** Covers a short fault of the API server; the pauses between them make 3 s in all. */
  private static final int ATTEMPTS = 5;

  private final ForcedDeletionReport givenUp;

  ForcedDeletions(ForcedDeletionReport givenUp) {
    this.givenUp = givenUp;
  }

  /**
   * @param object kind and name of what the step deletes
   * @throws ApplicationFailure the step's own, unless it is given up
   */
  void attempt(App app, String object, Runnable step) {
    try {
      step.run();
    } catch (ApplicationFailure e) {
      if (!app.isDeletedByForce() || mayPassSoon(e)) {
        throw e;
      }
      givenUp.tell(app, object, e.getOriginalMessage());
    }
  }

  private static boolean mayPassSoon(ApplicationFailure e) {
    return FaultKind.UNAVAILABLE.label().equals(e.getType())
        && Activity.getExecutionContext().getInfo().getAttempt() < ATTEMPTS;
  }
}
