package io.middleware.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class TemporalClockTest {
  private static final Instant NOW = Instant.parse("2026-11-28T10:00:00Z");

  private final long[] nanos = {0};
  private Duration ahead = Duration.ZERO;
  private final Clock machine =
      new Clock() {
        @Override
        public Instant instant() {
          return NOW.plus(ahead).plusNanos(nanos[0]);
        }

        @Override
        public ZoneOffset getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
          throw new UnsupportedOperationException();
        }
      };
  private final TemporalClock clock = new TemporalClock(machine, () -> nanos[0]);

  @Test
  void shouldGoByTemporalsClockWhenThatOfTheMachineIsWrong() {
    ahead = Duration.ofHours(1);
    clock.observe(NOW);
    assertThat(clock.instant()).isEqualTo(NOW);

    pass(Duration.ofMinutes(2));
    ahead = Duration.ofHours(-1);
    clock.observe(temporal());
    assertThat(clock.instant()).isEqualTo(temporal());
  }

  @Test
  void shouldBeTheMachinesClockWhileThatIsRight() {
    clock.observe(NOW.minusMillis(300));

    assertThat(clock.instant()).isEqualTo(machine.instant());
  }

  @Test
  void shouldNotTakeASlowTaskForAWrongClock() {
    clock.observe(NOW);
    clock.observe(NOW.minusSeconds(20));
    assertThat(clock.instant()).isEqualTo(NOW);

    pass(Duration.ofMinutes(2));
    clock.observe(temporal().minusSeconds(20));
    clock.observe(temporal());
    assertThat(clock.instant()).isEqualTo(temporal());
  }

  private Instant temporal() {
    return NOW.plusNanos(nanos[0]);
  }

  private void pass(Duration time) {
    nanos[0] += time.toNanos();
  }
}
