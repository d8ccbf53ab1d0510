package io.middleware.engine.activities.kubernetes;

import io.middleware.engine.workflows.port.ChangeRef;

/** Moves an App's run lock to the run that a reset has created. */
@FunctionalInterface
public interface RunLockRenewal {

  /**
   * Renews the App's run lock for a run that continues another run's history after a reset.
   *
   * @return whether this run holds the lock now; if not, another run is the open one
   * @throws io.temporal.failure.ApplicationFailure when the open run cannot be determined
   */
  boolean renew(ChangeRef change);
}
