package io.middleware.engine.activities.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TestWaitTest {
  private final List<String> heartbeats = new ArrayList<>();
  private final List<String> shown = new ArrayList<>();

  @Test
  void shouldLookOnceWhenNothingIsMissing() {
    assertThat(wait(Duration.ofSeconds(10)).until(Optional::empty)).isEmpty();
    assertThat(heartbeats).isEmpty();
  }

  @Test
  void shouldLookOnceAlthoughTheTimeIsOver() {
    assertThat(wait(Duration.ZERO).until(() -> Optional.of("a pod"))).contains("a pod");
    assertThat(wait(Duration.ZERO).until(Optional::empty)).isEmpty();
  }

  @Test
  void shouldSayWhatItHasMissedLast() {
    // Given
    var looks = List.of("one", "other", "other").iterator();
    // When
    var missing = wait(Duration.ofMillis(1200)).until(() -> Optional.of(looks.next()));
    // Then
    assertThat(missing).contains("other");
    assertThat(shown).containsExactly("one", "other");
    assertThat(heartbeats).contains("one", "other");
  }

  @Test
  void shouldTryAgainWhatMayPass() {
    // Given
    Iterator<Boolean> answers = List.of(false, true).iterator();
    // When
    var missing =
        wait(Duration.ofSeconds(10))
            .until(
                () -> {
                  if (!answers.next()) {
                    throw Faults.of(FaultKind.UNAVAILABLE, "the API server does not answer");
                  }
                  return Optional.empty();
                });
    // Then
    assertThat(missing).isEmpty();
    assertThat(shown).containsExactly("the API server does not answer");
  }

  @Test
  void shouldEndAtOnceWithWhatDoesNotPass() {
    var wait = wait(Duration.ofSeconds(10));
    assertThatThrownBy(
            () ->
                wait.until(
                    () -> {
                      throw Faults.of(FaultKind.FORBIDDEN, "may not read");
                    }))
        .isInstanceOf(ApplicationFailure.class)
        .hasMessageContaining("may not read");
  }

  private TestWait wait(Duration longest) {
    return new TestWait(
        heartbeats::add, Clock.systemUTC(), Instant.now().plus(longest), shown::add);
  }
}
