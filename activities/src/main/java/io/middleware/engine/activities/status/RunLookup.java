package io.middleware.engine.activities.status;

import io.middleware.engine.workflows.port.ChangeRef;

/** Which run of an App's workflow is at work. */
@FunctionalInterface
public interface RunLookup {

  /**
   * Whether it is the run that this change belongs to.
   *
   * @throws io.temporal.failure.ApplicationFailure when that cannot be found out
   */
  boolean isAtWork(ChangeRef change);
}
