package io.middleware.engine.api.task;

import java.time.Duration;

/**
 * Pauses between attempts, each twice as long as the one before.
 *
 * @param longest no pause is longer
 */
public record Backoff(Duration first, Duration longest) {
  private static final int MOST_DOUBLINGS = 20;

  /** The pause that follows this one. */
  public Duration next(Duration pause) {
    return limited(pause.multipliedBy(2));
  }

  /**
   * The pause after so many failed attempts in a row.
   *
   * @param failures at least 1
   */
  public Duration after(int failures) {
    return limited(first.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS)));
  }

  private Duration limited(Duration pause) {
    return pause.compareTo(longest) < 0 ? pause : longest;
  }
}
