package io.middleware.engine.watcher.testing;

import io.middleware.engine.watcher.change.TemporalUnavailableException;

/**
 * The workflow runs that carry out the tests of a kind, one workflow per test. All methods throw
 * {@link TemporalUnavailableException} when Temporal does not answer.
 */
interface TestRuns<T> {

  /**
   * Starts the run of a test, unless one is open.
   *
   * @return whether a run was started
   */
  boolean start(T test);

  /** Whether the test's workflow has an open run. */
  boolean isOpen(T test);

  /** Asks the test's open run to stop. It takes a while to do so; a repeat is harmless. */
  void cancel(T test);
}
