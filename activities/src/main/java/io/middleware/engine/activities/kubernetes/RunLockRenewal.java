package io.middleware.engine.activities.kubernetes;

import io.middleware.engine.workflows.port.ChangeRef;

/** Hands an App's claim on. */
@FunctionalInterface
public interface RunLockRenewal {

  /**
   * Claims the App for a run that goes on from another one's history, after a reset.
   *
   * @return whether the App is this run's now; if not, another run is at work
   * @throws io.temporal.failure.ApplicationFailure when that cannot be found out
   */
  boolean renew(ChangeRef change);
}
