package io.middleware.engine.process.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationFormatTest {
  @ParameterizedTest
  @CsvSource({
    "0s,PT0S",
    "30s,PT30S",
    "5m,PT5M",
    "1h30m,PT1H30M",
    "500ms,PT0.5S",
    "90m,PT90M",
    "1h1m1s1ms,PT1H1M1.001S",
    "1m1ms,PT1M0.001S",
  })
  void shouldReadWhatPeopleWrite(String text, Duration expected) {
    assertThat(DurationFormat.of(text)).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "m", "5 m", "1.5h", "-1s", "30m1h", "1d", "PT5M", "9999999999s"})
  void shouldRefuseAnythingElse(String text) {
    assertThat(DurationFormat.of(text)).isEmpty();
  }
}
