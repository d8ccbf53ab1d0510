package io.middleware.engine.api.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(5));

  @Test
  void shouldDoubleThePauseUpToTheLongest() {
    assertThat(Stream.iterate(BACKOFF.first(), BACKOFF::next).limit(5).map(Duration::toSeconds))
        .containsExactly(1L, 2L, 4L, 5L, 5L);
  }

  @Test
  void shouldGiveThePauseAfterSoManyFailures() {
    assertThat(IntStream.rangeClosed(1, 5).mapToObj(BACKOFF::after).map(Duration::toSeconds))
        .containsExactly(1L, 2L, 4L, 5L, 5L);
  }

  @Test
  void shouldGiveTheLongestPauseAfterAnyNumberOfFailures() {
    assertThat(BACKOFF.after(Integer.MAX_VALUE)).isEqualTo(BACKOFF.longest());
  }
}
