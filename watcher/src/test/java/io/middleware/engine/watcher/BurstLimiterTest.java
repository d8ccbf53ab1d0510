package io.middleware.engine.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BurstLimiterTest {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1000);
  private final BurstLimiter limiter = new BurstLimiter(3, Duration.ofMillis(200), nanos::get);
  private final BurstLimiter.TokenBucket bucket = limiter.initState();

  @Test
  void shouldLetTheFirstFewThroughAndSpaceTheRest() {
    // When
    var looks = looksWithin(Duration.ofSeconds(2));

    // Then
    assertThat(looks).isBetween(12, 13);
  }

  @Test
  void shouldSayHowLongToWait() {
    // Given
    for (int look = 0; look < 3; look++) {
      assertThat(limiter.isLimited(bucket)).isEmpty();
    }

    // When
    var wait = limiter.isLimited(bucket);

    // Then
    assertThat(wait).hasValue(Duration.ofMillis(200));
  }

  @Test
  void shouldNotHoldUpAQuietApp() {
    // Given
    looksWithin(Duration.ofSeconds(1));
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());

    // When
    var wait = limiter.isLimited(bucket);

    // Then
    assertThat(wait).isEmpty();
  }

  private int looksWithin(Duration time) {
    var looks = 0;
    for (long passed = 0; passed < time.toMillis(); passed += 10) {
      if (limiter.isLimited(bucket).isEmpty()) {
        looks++;
      }
      nanos.addAndGet(Duration.ofMillis(10).toNanos());
    }
    return looks;
  }
}
