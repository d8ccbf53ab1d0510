package io.middleware.engine.watcher.request;

import io.middleware.engine.watcher.temporal.TemporalUnavailableException;
import java.time.Instant;
import java.util.Optional;

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
   * Why the open run of the request has not begun it, for people; empty when no run is open, it was
   * started after {@code since}, or a run of this kind tells that itself.
   */
  default Optional<String> unbegun(T request, Instant since) {
    return Optional.empty();
  }

  /**
   * Asks the open run of the request to stop. It takes a while to do so; a repeat is harmless.
   *
   * @return whether there is a run
   */
  boolean cancel(T request);
}
