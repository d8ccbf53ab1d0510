package io.middleware.engine.watcher.request;

import io.middleware.engine.watcher.temporal.TemporalUnavailableException;

/**
 * The workflow runs that carry out requests. All methods throw {@link TemporalUnavailableException}
 * when Temporal does not answer.
 */
public interface RequestRuns<T> {

  /**
   * Starts a run for the request, unless one is open.
   *
   * @return whether a run was started
   */
  boolean start(T request);

  /** Whether the run of the request is open. */
  boolean isOpen(T request);

  /**
   * Asks the open run of the request to stop. It takes a while to do so; a repeat is harmless.
   *
   * @return whether there is a run
   */
  boolean cancel(T request);
}
