package io.middleware.engine.cluster.runs;

import io.middleware.engine.workflows.port.ChangeRef;

/** Which run of an App's workflow is running. */
@FunctionalInterface
public interface RunLookup {

  /**
   * Whether it is this change's run.
   *
   * @throws io.temporal.failure.ApplicationFailure when that cannot be looked up
   */
  boolean isRunning(ChangeRef change);
}
