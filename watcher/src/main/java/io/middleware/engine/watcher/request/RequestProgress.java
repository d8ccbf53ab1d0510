package io.middleware.engine.watcher.request;

import io.middleware.engine.watcher.request.RequestDecision.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How far a request is, as its object says.
 *
 * @param readable whether its spec can be read
 * @param held why it may not begin yet, as its spec says
 * @param cancelled whether it is to stop, or never to begin
 * @param begun whether a run has begun it, or may have: its run is looked for before it ends
 * @param endedAt empty until it has ended
 * @param kept how long it stays after its end; empty when it is a record, which stays
 */
public record RequestProgress(
    boolean readable,
    Optional<Hold> held,
    boolean cancelled,
    boolean begun,
    Optional<Instant> endedAt,
    Optional<Duration> kept) {
  private static final Duration KEPT_BY_DEFAULT = Duration.ofDays(7);

  /**
   * How long a request stays after its end.
   *
   * @param seconds that the spec gives
   */
  public static Optional<Duration> kept(Optional<Integer> seconds) {
    return Optional.of(seconds.map(Duration::ofSeconds).orElse(KEPT_BY_DEFAULT));
  }
}
