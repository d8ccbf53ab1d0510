package io.middleware.engine.activities.testing.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CheckGridTest {
  private static final Instant BEGIN = Instant.parse("2026-11-26T10:00:00.250Z");

  private final CheckGrid grid =
      new CheckGrid(BEGIN, Duration.ofSeconds(10), Optional.of(BEGIN.plusSeconds(30)));

  @Test
  void shouldBeDueFirstAfterOneInterval() {
    assertThat(grid.due(BEGIN.plusMillis(9_999), Optional.empty())).isEmpty();
    assertThat(grid.due(BEGIN.plusMillis(10_000), Optional.empty())).contains(at(10));
    assertThat(grid.due(BEGIN.plusMillis(19_999), Optional.empty())).contains(at(10));
  }

  @Test
  void shouldBeDueOnceAtEachTime() {
    assertThat(grid.due(BEGIN.plusMillis(12_000), Optional.of(at(10)))).isEmpty();
    assertThat(grid.due(BEGIN.plusMillis(20_000), Optional.of(at(10)))).contains(at(20));
  }

  /** Nobody has checked between. */
  @Test
  void shouldMakeUpForTheNewestTimeOnly() {
    assertThat(grid.due(BEGIN.plusMillis(29_000), Optional.empty())).contains(at(20));
  }

  /** The clock of another worker may be behind. */
  @Test
  void shouldNotBeDueTwiceWhenTheClockIsSetBack() {
    assertThat(grid.due(BEGIN.plusMillis(11_000), Optional.of(at(20)))).isEmpty();
    assertThat(grid.due(BEGIN.minusSeconds(5), Optional.empty())).isEmpty();
  }

  @Test
  void shouldBeDueLastAtTheEnd() {
    assertThat(grid.due(BEGIN.plusSeconds(31), Optional.of(at(20)))).contains(at(30));
    assertThat(grid.due(BEGIN.plusSeconds(41), Optional.of(at(30)))).isEmpty();
  }

  @Test
  void shouldKnowTheNextTime() {
    assertThat(grid.after(BEGIN)).isEqualTo(at(10));
    assertThat(grid.after(BEGIN.plusMillis(10_000))).isEqualTo(at(20));
  }

  private static Instant at(int seconds) {
    return BEGIN.plusSeconds(seconds);
  }
}
