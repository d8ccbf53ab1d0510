package io.middleware.engine.activities.testing;

import io.middleware.engine.workflows.testing.port.TestRef;

/** Which run of a test's workflow is the current one. */
@FunctionalInterface
public interface TestRunLookup {

  /**
   * Whether it is this one.
   *
   * @throws io.temporal.failure.ApplicationFailure when that cannot be looked up
   */
  boolean isCurrent(TestRef test);
}
