package io.middleware.engine.cluster.runlock;

import io.middleware.engine.workflows.port.ChangeRef;

/** Moves an App's run lock to the run that a reset has created. */
@FunctionalInterface
public interface RunLockRenewal {

  /**
   * Renews the App's run lock for a run that continues another run's history after a reset, or
   * whose lock somebody else has overwritten.
   *
   * @return whether this run may write now; if not, another run is the open one, or the change is
   *     an older one, or has ended
   * @throws io.temporal.failure.ApplicationFailure when the open run cannot be determined
   */
  boolean renew(ChangeRef change);
}
