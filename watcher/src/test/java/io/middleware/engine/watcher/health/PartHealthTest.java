package io.middleware.engine.watcher.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PartHealthTest {
  private static final ReadyCount WHOLE = new ReadyCount(3, 3, List.of(), false);
  private static final ReadyCount SHORT = new ReadyCount(2, 3, List.of(), false);

  static Stream<Arguments> parts() {
    return Stream.of(
        arguments(new PartHealth(2, false, false, 1L, WHOLE, List.of()), 2L, "Running", "True 2"),
        arguments(new PartHealth(2, false, false, 1L, SHORT, List.of()), 2L, "Degraded", "False 2"),
        arguments(new PartHealth(2, true, false, 1L, WHOLE, List.of()), 1L, "Changing", "True 1"),
        arguments(new PartHealth(2, true, false, 1L, SHORT, List.of()), 1L, "Changing", "False 1"),
        arguments(
            new PartHealth(1, true, false, null, WHOLE, List.of()),
            null,
            "Provisioning",
            "False 1"),
        arguments(new PartHealth(1, false, false, null, WHOLE, List.of()), 1L, "Running", "True 1"),
        arguments(new PartHealth(3, false, true, 2L, WHOLE, List.of()), 3L, "Stopped", "True 3"));
  }

  @ParameterizedTest
  @MethodSource("parts")
  void shouldSpeakOfTheGenerationCarriedOut(
      PartHealth part, Long observed, String phase, String ready) {
    // When
    var condition = part.conditions(List.of(), Instant.EPOCH).get(0);

    // Then
    assertThat(part.observed()).isEqualTo(observed);
    assertThat(part.phase()).isEqualTo(phase);
    assertThat(condition.getStatus() + " " + condition.getObservedGeneration()).isEqualTo(ready);
  }
}
