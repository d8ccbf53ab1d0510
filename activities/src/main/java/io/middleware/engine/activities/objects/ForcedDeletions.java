package io.middleware.engine.activities.objects;

import io.middleware.engine.api.App;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.status.ForcedDeletionReport;
import io.temporal.activity.Activity;
import io.temporal.failure.ApplicationFailure;

/** During a forced deletion, reports what cannot be deleted and continues with the rest. */
public final class ForcedDeletions {
  /** Enough for a short fault of the API server: the pauses between them add up to 3 s. */
  private static final int ATTEMPTS = 5;

  private final ForcedDeletionReport report;

  public ForcedDeletions(ForcedDeletionReport report) {
    this.report = report;
  }

  /**
   * @param object kind and name of the object that the step deletes
   * @throws ApplicationFailure the step's own, unless the object is abandoned
   */
  void attempt(App app, String object, Runnable step) {
    try {
      step.run();
    } catch (ApplicationFailure e) {
      if (!app.isDeletedByForce() || mayPassSoon(e)) {
        throw e;
      }
      report.report(app, object, e.getOriginalMessage());
    }
  }

  private static boolean mayPassSoon(ApplicationFailure e) {
    return FaultKind.UNAVAILABLE.label().equals(e.getType())
        && Activity.getExecutionContext().getInfo().getAttempt() < ATTEMPTS;
  }
}
