package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisParametersTest {
  @ParameterizedTest
  @CsvSource({
    "100mb, 104857600",
    "1gb, 1073741824",
    "1G, 1000000000",
    "16kb, 16384",
    "2k, 2000",
    "0, 0",
    "Yes, yes",
    "'3600 1  300 100', '3600 1 300 100'",
    "-1, -1",
    "5%, 5%",
  })
  void shouldRecognizeAValueInRedisNotation(String desired, String actual) {
    assertThat(RedisParameters.inForce(Map.of("it", desired), Map.of("it", actual)))
        .containsExactly(Map.entry("it", desired));
    assertThat(RedisParameters.missing(Map.of("it", desired), Map.of("it", actual))).isEmpty();
  }

  @Test
  void shouldReturnWhatIsNotInForce() {
    // Given
    var desired = Map.of("maxmemory", "100mb", "timeout", "5", "no-such", "1");
    var actual = Map.of("maxmemory", "1048576", "timeout", "5");
    // Then
    assertThat(RedisParameters.missing(desired, actual)).containsOnlyKeys("maxmemory", "no-such");
    assertThat(RedisParameters.inForce(desired, actual))
        .containsOnly(
            Map.entry("maxmemory", "1048576"), Map.entry("timeout", "5"), Map.entry("no-such", ""));
  }
}
