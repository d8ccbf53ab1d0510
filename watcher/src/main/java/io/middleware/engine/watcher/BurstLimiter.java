package io.middleware.engine.watcher;

import io.javaoperatorsdk.operator.processing.event.rate.RateLimiter;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A token bucket per App: lets the first few reconciliations through at once and spaces those that
 * follow. An edit of a quiet App never waits; many events cost a few reconciliations a second.
 */
final class BurstLimiter implements RateLimiter<BurstLimiter.TokenBucket> {
  private final int burst;
  private final long spacing;
  private final LongSupplier nanoTime;

  /** The time when the bucket is full again if nothing more is taken from it. */
  static final class TokenBucket implements RateLimitState {
    private long fullAt;

    private TokenBucket(long fullAt) {
      this.fullAt = fullAt;
    }
  }

  BurstLimiter(int burst, Duration spacing, LongSupplier nanoTime) {
    this.burst = burst;
    this.spacing = spacing.toNanos();
    this.nanoTime = nanoTime;
  }

  @Override
  public Optional<Duration> isLimited(RateLimitState state) {
    var bucket = (TokenBucket) state;
    long now = nanoTime.getAsLong();
    long fullAt = (bucket.fullAt - now > 0 ? bucket.fullAt : now) + spacing;
    long excess = fullAt - now - burst * spacing;
    if (excess > 0) {
      return Optional.of(Duration.ofNanos(excess));
    }
    bucket.fullAt = fullAt;
    return Optional.empty();
  }

  @Override
  public TokenBucket initState() {
    return new TokenBucket(nanoTime.getAsLong());
  }
}
