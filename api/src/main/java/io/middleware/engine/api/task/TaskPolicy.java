package io.middleware.engine.api.task;

import java.time.Duration;

/**
 * Time limit and retries of a task.
 *
 * @param timeout how long the task may go on without progress, all attempts together
 * @param maxRetries attempts in all, at least 1
 * @param retryBackoff pause before the second attempt, doubled after each failure
 */
public record TaskPolicy(Duration timeout, int maxRetries, Duration retryBackoff) {
  public TaskPolicy {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout must be positive, was " + timeout);
    }
    if (maxRetries < 1) {
      throw new IllegalArgumentException("maxRetries must be at least 1, was " + maxRetries);
    }
    if (retryBackoff.isNegative()) {
      throw new IllegalArgumentException("retryBackoff must not be negative, was " + retryBackoff);
    }
  }

  /** The pause after the attempt of this number (1 = first): 1, 2, 4, … times the back-off. */
  public Duration backoffAfter(int attempt) {
    return retryBackoff.multipliedBy(1L << Math.min(attempt - 1, 20));
  }
}
