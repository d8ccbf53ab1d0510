package io.middleware.engine.cluster.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusTextsTest {

  @ParameterizedTest
  @CsvSource({
    "PT10M, 10m",
    "PT300S, 5m",
    "PT90S, 90s",
    "PT2H, 2h",
    "PT1H30M, 90m",
    "PT1.5S, 1500ms"
  })
  void shouldWriteDurationsAsPeopleDo(Duration duration, String expected) {
    assertThat(StatusTexts.duration(duration)).isEqualTo(expected);
  }
}
