package io.middleware.engine.planning.condition;

import static io.middleware.engine.planning.condition.UntilHolds.Decision.FAILED;
import static io.middleware.engine.planning.condition.UntilHolds.Decision.OPEN;
import static io.middleware.engine.planning.condition.UntilHolds.Decision.PASSED;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.planning.condition.UntilHolds.Decision;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A check that must hold within 30 s. */
class UntilHoldsTest {
  private static final Instant BEGIN = Instant.parse("2026-11-25T12:00:00Z");
  private static final Verdict HOLDS = new Verdict.Holds("lag = 0");
  private static final Verdict LAGS = new Verdict.DoesNotHold("lag = 5", "lag = 5, expected 0");
  private static final Verdict UNKNOWN = new Verdict.NotKnown("no answer");

  private UntilHolds check = new UntilHolds(BEGIN, Duration.ofSeconds(30), Duration.ZERO);

  @Test
  void shouldPassOnceItHolds() {
    assertThat(at(0, LAGS)).isEqualTo(OPEN);
    assertThat(at(29, HOLDS)).isEqualTo(PASSED);
  }

  @Test
  void shouldFailWhenTheTimeIsOver() {
    assertThat(at(29, LAGS)).isEqualTo(OPEN);
    assertThat(at(30, LAGS)).isEqualTo(FAILED);
  }

  @Test
  void shouldFailWhenNobodyKnowsInTime() {
    assertThat(at(29, UNKNOWN)).isEqualTo(OPEN);
    assertThat(at(30, UNKNOWN)).isEqualTo(FAILED);
  }

  @Test
  void shouldPassAtTheFirstLookHoweverLateThatIs() {
    assertThat(at(300, HOLDS)).isEqualTo(PASSED);
  }

  @Test
  void shouldKeepHoldingAlsoAfterTheTimeInWhichItMustBegin() {
    // Given
    keepsFor(10);
    // When Then
    assertThat(at(28, HOLDS)).isEqualTo(OPEN);
    assertThat(at(37, HOLDS)).isEqualTo(OPEN);
    assertThat(at(38, HOLDS)).isEqualTo(PASSED);
  }

  @Test
  void shouldBeginToCountAgainAfterAnInterruption() {
    // Given
    keepsFor(10);
    // When Then
    assertThat(at(0, HOLDS)).isEqualTo(OPEN);
    assertThat(at(9, LAGS)).isEqualTo(OPEN);
    assertThat(at(11, HOLDS)).isEqualTo(OPEN);
    assertThat(at(20, HOLDS)).isEqualTo(OPEN);
    assertThat(at(21, HOLDS)).isEqualTo(PASSED);
  }

  @Test
  void shouldKeepHoldingWhileNobodyKnowsForAWhile() {
    // Given
    keepsFor(60);
    // When Then
    assertThat(at(20, HOLDS)).isEqualTo(OPEN);
    assertThat(at(49, UNKNOWN)).isEqualTo(OPEN);
    assertThat(at(80, HOLDS)).isEqualTo(PASSED);
  }

  @Test
  void shouldFailWhenNobodyKnowsForLong() {
    // Given
    keepsFor(600);
    // When Then
    assertThat(at(20, HOLDS)).isEqualTo(OPEN);
    assertThat(at(49, UNKNOWN)).isEqualTo(OPEN);
    assertThat(at(50, UNKNOWN)).isEqualTo(FAILED);
  }

  @Test
  void shouldFailWhenItStopsToHoldTooLate() {
    // Given
    keepsFor(60);
    // When Then
    assertThat(at(0, HOLDS)).isEqualTo(OPEN);
    assertThat(at(31, LAGS)).isEqualTo(FAILED);
  }

  private void keepsFor(int seconds) {
    check = new UntilHolds(BEGIN, Duration.ofSeconds(30), Duration.ofSeconds(seconds));
  }

  private Decision at(int second, Verdict verdict) {
    return check.after(verdict, BEGIN.plusSeconds(second));
  }
}
