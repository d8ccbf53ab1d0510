package io.middleware.engine.cluster;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Refusals that are not believed yet. A starting API server refuses every account for a second or
 * two, until it has read its roles. So a refusal counts only when it is repeated for {@link
 * #PATIENCE}, and not across a restart of the API server.
 */
final class RefusalDoubt {
  static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Longer than any pause between two attempts, of a step or of planning. */
  private static final Duration MEMORY = Duration.ofSeconds(75);

  private final Map<String, Seen> refusals = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;

  private record Seen(long first, long last) {}

  RefusalDoubt(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Whether a refusal that is met now may still be a mistake.
   *
   * @param refusal who may not do what: the same text for the same refusal
   */
  boolean isDoubted(String refusal) {
    var now = nanoTime.getAsLong();
    refusals.values().removeIf(seen -> now - seen.last() > MEMORY.toNanos());
    var seen =
        refusals.merge(
            refusal, new Seen(now, now), (known, met) -> new Seen(known.first(), met.last()));
    return now - seen.first() < PATIENCE.toNanos();
  }

  /** The API server did not answer: it may have restarted. */
  void unanswered() {
    refusals.clear();
  }
}
