package io.middleware.engine.process.pods;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often is read what events say. */
class PodEventsTest {
  private static final Duration SEEN_WITHIN = Duration.ofSeconds(10);

  @Test
  void shouldReadSoonWhatIsSaidLateOfFewPods() {
    var pauses =
        Stream.iterate(Duration.ofSeconds(2), pause -> PodEvents.next(pause, 20)).limit(20);
    assertThat(pauses).allMatch(pause -> pause.compareTo(SEEN_WITHIN) < 0);
  }

  @ParameterizedTest
  @CsvSource({"2, 1, 4", "4, 1, 8", "8, 1, 8", "8, 100, 16", "16, 100, 30", "64, 1000, 120"})
  void shouldReadSeldomerTheMorePodsThereAre(int pause, int pods, int next) {
    assertThat(PodEvents.next(Duration.ofSeconds(pause), pods)).isEqualTo(Duration.ofSeconds(next));
  }
}
