package io.middleware.engine.watcher.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How far a test is, as its object says.
 *
 * @param readable whether its spec can be read
 * @param suspended whether it only describes a load, and is not to begin by itself
 * @param cancelled whether it is to stop, or never to begin
 * @param begun whether a run has begun it
 * @param endedAt empty until it has ended
 * @param kept how long it stays after its end
 */
record TestProgress(
    boolean readable,
    boolean suspended,
    boolean cancelled,
    boolean begun,
    Optional<Instant> endedAt,
    Duration kept) {
  private static final Duration KEPT_BY_DEFAULT = Duration.ofDays(7);

  /**
   * @param seconds that the spec gives
   */
  static Duration kept(Optional<Integer> seconds) {
    return seconds.map(Duration::ofSeconds).orElse(KEPT_BY_DEFAULT);
  }
}
