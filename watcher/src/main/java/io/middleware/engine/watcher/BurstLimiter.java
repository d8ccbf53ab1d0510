package io.middleware.engine.watcher;

import io.javaoperatorsdk.operator.processing.event.rate.RateLimiter;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Lets the first few looks at an App through at once and spaces those that follow on their heels:
 * an edit of a quiet App never waits, a storm of events costs a few looks a second.
 */
final class BurstLimiter implements RateLimiter<BurstLimiter.Bucket> {
  private final int burst;
  private final long spacing;
  private final LongSupplier nanoTime;

  /** When the bucket is full again, were nothing more taken from it. */
  static final class Bucket implements RateLimitState {
    private long fullAt;

    private Bucket(long fullAt) {
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
    var bucket = (Bucket) state;
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
  public Bucket initState() {
    return new Bucket(nanoTime.getAsLong());
  }
}
