package io.middleware.engine.watcher.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.BackupSettings;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackupTimesTest {

  @ParameterizedTest
  @CsvSource({
    "0 3 * * *, UTC, 2026-11-25T03:00:00Z, 2026-11-26T03:00:00Z",
    "0 3 * * *, Europe/Berlin, 2026-11-25T02:00:00Z, 2026-11-26T02:00:00Z",
    "0 3 * * *, Asia/Shanghai, 2026-11-24T19:00:00Z, 2026-11-25T19:00:00Z",
    "*/20 * * * *, UTC, 2026-11-25T10:00:00Z, 2026-11-25T10:20:00Z",
    "@hourly, UTC, 2026-11-25T10:00:00Z, 2026-11-25T11:00:00Z",
    "@daily, UTC, 2026-11-25T00:00:00Z, 2026-11-26T00:00:00Z",
    "@midnight, UTC, 2026-11-25T00:00:00Z, 2026-11-26T00:00:00Z",
    "@weekly, UTC, 2026-11-22T00:00:00Z, 2026-11-29T00:00:00Z",
    "0 0 * * 7, UTC, 2026-11-22T00:00:00Z, 2026-11-29T00:00:00Z",
    "@monthly, UTC, 2026-11-01T00:00:00Z, 2026-12-01T00:00:00Z",
    "@yearly, UTC, 2026-01-01T00:00:00Z, 2027-01-01T00:00:00Z",
    "@annually, UTC, 2026-01-01T00:00:00Z, 2027-01-01T00:00:00Z",
    "30 4 * * MON-FRI, UTC, 2026-11-25T04:30:00Z, 2026-11-26T04:30:00Z",
    "0 3 28 * 1, UTC, 2026-11-23T03:00:00Z, 2026-11-28T03:00:00Z"
  })
  void shouldKnowTheTimesAroundAnother(String schedule, String zone, String last, String next) {
    // Given
    var now = Instant.parse("2026-11-25T10:00:00Z");
    // When
    var times = BackupTimes.of(settings(schedule, zone)).orElseThrow();
    // Then
    assertThat(times.last(now)).contains(Instant.parse(last));
    assertThat(times.next(now)).contains(Instant.parse(next));
  }

  /** Temporal starts nothing at 02:30 on the day on which 02:30 is no time. */
  @Test
  void shouldLeaveOutWhatTheClockSkips() {
    var times = BackupTimes.of(settings("30 2 * * *", "Europe/Berlin")).orElseThrow();
    assertThat(times.last(Instant.parse("2026-03-29T12:00:00Z")))
        .contains(Instant.parse("2026-03-28T01:30:00Z"));
    assertThat(times.next(Instant.parse("2026-03-28T12:00:00Z")))
        .contains(Instant.parse("2026-03-30T00:30:00Z"));
  }

  /** Temporal itself would only take days that are both. */
  @Test
  void shouldMeanTheDaysOfEither() {
    assertThat(BackupTimes.of(settings("0 3 1 * 1", "UTC")).orElseThrow().expressions())
        .containsExactly("0 3 1 * *", "0 3 * * 1");
    assertThat(BackupTimes.of(settings("0 3 */2 * 1", "UTC")).orElseThrow().expressions())
        .containsExactly("0 3 */2 * 1");
  }

  @Test
  void shouldHaveNoneWhenTheyCannotBeRead() {
    assertThat(BackupTimes.of(settings("0 25 * * *", "UTC"))).isEmpty();
    assertThat(BackupTimes.of(settings("0 3 * * *", "Europe/Atlantis"))).isEmpty();
    assertThat(BackupTimes.of(null)).isEmpty();
    assertThat(BackupTimes.of(new BackupSettings(true, "0 3 * * *", 7))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"30m, 90", "2h, 180", "600s, 70", "60000ms, 61", ", 120"})
  void shouldAllowForALateStartAndAWholeBackup(String timeout, long minutes) {
    assertThat(BackupTimes.grace(new BackupSettings(true, "@daily", 7, "nightly", null, timeout)))
        .isEqualTo(Duration.ofMinutes(minutes));
  }

  private static BackupSettings settings(String schedule, String zone) {
    return new BackupSettings(true, schedule, 7, "nightly", zone, null);
  }
}
