package io.middleware.engine.activities.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.cluster.status.CheckResultWriter.Decision;
import io.middleware.engine.planning.condition.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WatchedCheckTest {
  private static final Instant BEGIN = Instant.parse("2026-11-26T10:00:00Z");
  private static final Verdict HOLDS = new Verdict.Holds("2 of 3");
  private static final Verdict FAILS = new Verdict.DoesNotHold("1 of 3", "1 of 3, expected 2");
  private static final Verdict UNKNOWN = new Verdict.NotKnown("it is away");

  private final WatchedCheck check = watched(Duration.ofSeconds(10));
  private Instant now = BEGIN;

  @Test
  void shouldFailAfterTooManyFailuresInARow() {
    // When
    find(FAILS, FAILS);
    // Then
    assertThat(check.hasFailed()).isFalse();
    // When
    find(FAILS);
    // Then
    assertThat(check.hasFailed()).isTrue();
    assertThat(check.failure())
        .isEqualTo(
            "check serves of db did not hold 3 times in a row, every 10 s: 1 of 3, expected 2");
  }

  @Test
  void shouldCountAnewAfterItHasHeld() {
    find(FAILS, FAILS, HOLDS, FAILS, FAILS);
    assertThat(check.hasFailed()).isFalse();
  }

  @Test
  void shouldNotCountWhatNobodyKnows() {
    // When
    find(FAILS, FAILS, UNKNOWN, UNKNOWN, UNKNOWN);
    // Then
    assertThat(check.hasFailed()).isFalse();
    assertThat(check.decision())
        .contains(
            new Decision(
                "serves",
                Optional.empty(),
                Optional.empty(),
                "",
                Optional.of("not known: it is away"),
                Optional.of(2)));
    // When
    find(FAILS);
    // Then
    assertThat(check.hasFailed()).isTrue();
  }

  @Test
  void shouldForgetAllAfterAPause() {
    // Given
    find(FAILS, FAILS);
    // When
    check.forget();
    // Then
    assertThat(check.isDue(now)).isTrue();
    assertThat(check.decision()).isEmpty();
    find(FAILS, FAILS);
    assertThat(check.hasFailed()).isFalse();
  }

  @Test
  void shouldBeDueInItsInterval() {
    assertThat(check.isDue(BEGIN)).isTrue();
    check.found(HOLDS, BEGIN);
    assertThat(check.isDue(BEGIN.plusSeconds(9))).isFalse();
    assertThat(check.isDue(BEGIN.plusSeconds(10))).isTrue();
  }

  @Test
  void shouldNotBeDueMoreThanOnceASecond() {
    var hurried = watched(Duration.ofMillis(1));
    hurried.found(HOLDS, BEGIN);
    assertThat(hurried.next()).isEqualTo(BEGIN.plusSeconds(1));
  }

  private void find(Verdict... verdicts) {
    for (var verdict : verdicts) {
      now = now.plusSeconds(10);
      check.found(verdict, now);
    }
  }

  private static WatchedCheck watched(Duration every) {
    return new WatchedCheck(
        "db", new CompiledCheck("serves", Duration.ZERO, Duration.ZERO, true, List.of()), every, 3);
  }
}
