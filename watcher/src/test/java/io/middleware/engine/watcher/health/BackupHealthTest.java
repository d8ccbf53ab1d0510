package io.middleware.engine.watcher.health;

import static io.middleware.engine.watcher.backup.SampleBackups.backup;
import static io.middleware.engine.watcher.backup.SampleBackups.ended;
import static io.middleware.engine.watcher.backup.SampleBackups.scheduled;
import static io.middleware.engine.watcher.backup.SampleBackups.scheduledBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpecBuilder;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.BackupScheduleStatus;
import io.middleware.engine.api.BackupSettings;
import io.middleware.engine.api.LastBackup;
import io.middleware.engine.api.RunState;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.change.ChangeStatusBuilder;
import io.middleware.engine.watcher.Objects;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;

/** The App is backed up at 03:00, within half an hour. */
class BackupHealthTest {
  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00.123Z");
  private static final AppStatus HEALTH =
      AppStatusBuilder.builder().phase("Running").ready("3/3").conditions(List.of()).build();
  private static final Backup YESTERDAY =
      ended(
          scheduledBy("cache-1", "backup/shop/cache-2026-11-24T03:00:00Z"),
          BackupStatus.SUCCEEDED,
          "2026-11-24T03:00:01Z");
  private static final Backup TODAY =
      ended(scheduled("cache-2"), BackupStatus.SUCCEEDED, "2026-11-25T03:00:01Z");
  private static final Backup FAILED =
      ended(scheduled("cache-3"), BackupStatus.FAILED, "2026-11-25T03:00:01Z");

  private final App app = app("2026-11-20T10:30:00Z", RunState.RUNNING);

  @Test
  void shouldShowTheLastGoodBackup() {
    assertThat(status(NOW, TODAY, YESTERDAY, FAILED).backup())
        .isEqualTo(
            new LastBackup("cache-2", "2026-11-25T03:00:01Z", "2026-11-25T03:00:01Z", "1.2 GiB"));
    assertThat(status(NOW, FAILED).backup()).isNull();
  }

  @Test
  void shouldNotShowABackupOfAnEarlierAppOfThisName() {
    // Given
    app.getMetadata().setUid("another");
    // When Then
    assertThat(status(NOW, TODAY).backup()).isNull();
  }

  @Test
  void shouldBeOverdueWhenTheLastTimeHasNoGoodBackup() {
    assertThat(overdue(NOW, YESTERDAY, FAILED))
        .singleElement()
        .satisfies(
            condition -> {
              assertThat(condition.getType()).isEqualTo("BackupOverdue");
              assertThat(condition.getStatus()).isEqualTo("True");
              assertThat(condition.getReason()).isEqualTo("BackupMissed");
              assertThat(condition.getLastTransitionTime()).isEqualTo("2026-11-25T10:00:00Z");
              assertThat(condition.getMessage())
                  .isEqualTo(
                      "the backup of 2026-11-25T03:00:00Z is missing, and the last good one was"
                          + " created at 2026-11-24T03:00:01Z; Backup cache-3 is Failed: as it went; see kubectl"
                          + " get mwbackup -n shop, and temporal schedule describe --schedule-id"
                          + " backup/shop/cache");
            });
    assertThat(overdue(NOW).getFirst().getMessage())
        .contains("there is no good one; no run of the schedule has made a Backup since; see");
  }

  @Test
  void shouldNotBeOverdueWithAGoodOneWhoeverAskedForIt() {
    assertThat(overdue(NOW, TODAY)).isEmpty();
    assertThat(overdue(NOW, ended(backup("mine"), BackupStatus.SUCCEEDED, "2026-11-25T09:00:00Z")))
        .isEmpty();
  }

  /** A worker's clock was a year ahead when it began the Backup of yesterday. */
  @Test
  void shouldNotTakeAnOldBackupForANewOneBecauseAWorkersClockWasAhead() {
    // Given
    var ahead = ended(scheduled("cache-1"), BackupStatus.SUCCEEDED, "2027-11-24T03:00:01Z");
    ahead.getMetadata().setCreationTimestamp("2026-11-24T03:00:01Z");
    // When Then
    assertThat(overdue(NOW, ahead)).hasSize(1);
    assertThat(status(NOW, ahead).backup().startedAt()).isEqualTo("2026-11-24T03:00:01Z");
    assertThat(status(NOW, ahead, TODAY).backup().name()).isEqualTo("cache-2");
  }

  /** The API server's clock was a year ahead. */
  @Test
  void shouldNotTakeABackupFromTheFutureForOneOfToday() {
    assertThat(overdue(NOW, ended(scheduled("x"), BackupStatus.SUCCEEDED, "2027-11-24T03:00:01Z")))
        .hasSize(1);
  }

  @Test
  void shouldAllowForALateStart() {
    assertThat(overdue(Instant.parse("2026-11-25T04:29:59Z"), YESTERDAY)).isEmpty();
    assertThat(overdue(Instant.parse("2026-11-25T04:30:00Z"), YESTERDAY)).hasSize(1);
  }

  @Test
  void shouldComeBackWhenABackupMayBecomeOverdue() {
    assertThat(health().nextCheck(Instant.parse("2026-11-25T04:00:00Z")))
        .contains(Duration.ofMinutes(30));
    assertThat(health().nextCheck(Instant.parse("2026-11-25T04:30:00Z")))
        .contains(Duration.ofHours(24));
  }

  @Test
  void shouldNotMissABackupOfATimeBeforeTheSchedule() {
    // Given
    app.setStatus(changed("2026-11-25T09:00:00Z", List.of()));
    // When Then
    assertThat(overdue(NOW, YESTERDAY)).isEmpty();
    // but what was overdue before an edit still is
    app.setStatus(changed("2026-11-20T10:30:00Z", List.of()));
    var shown = overdue(NOW.minusSeconds(3600), YESTERDAY);
    app.setStatus(changed("2026-11-25T09:30:00Z", shown));
    assertThat(overdue(NOW, YESTERDAY))
        .singleElement()
        .extracting(Condition::getLastTransitionTime)
        .isEqualTo("2026-11-25T09:00:00Z");
    assertThat(overdue(NOW, TODAY)).isEmpty();
  }

  @Test
  void shouldNotPutOffWhatIsOverdueForAnEditOfSomethingElse() {
    // Given an App whose schedule has never made a Backup
    app.setStatus(status(Instant.parse("2026-11-24T12:00:00Z")));
    assertThat(app.getStatus().backupSchedule())
        .isEqualTo(new BackupScheduleStatus("0 3 * * *", null, "2026-11-20T10:30:00Z"));
    // When it is edited after the time at which a backup was due
    edited("2026-11-25T03:20:00Z", app.getStatus().backupSchedule());
    // Then
    assertThat(overdue(NOW)).hasSize(1);
    assertThat(status(NOW).backupSchedule().since()).isEqualTo("2026-11-20T10:30:00Z");
  }

  @Test
  void shouldBeginAnewWithAnotherSchedule() {
    // Given
    var other = new BackupScheduleStatus("0 1 * * *", null, "2026-11-20T10:30:00Z");
    // When the edit is not carried out yet
    edited(null, other);
    // Then
    assertThat(status(NOW).backupSchedule()).isEqualTo(other);
    assertThat(overdue(NOW, TODAY)).isEmpty();
    assertThat(overdue(NOW))
        .extracting(Condition::getMessage)
        .singleElement()
        .asString()
        .startsWith("the backup of 2026-11-25T01:00:00Z is missing");
    assertThat(health().nextCheck(Instant.parse("2026-11-25T02:00:00Z")))
        .contains(Duration.ofMinutes(30));
    // and when it is
    edited("2026-11-25T03:20:00Z", other);
    assertThat(overdue(NOW)).isEmpty();
    assertThat(status(NOW).backupSchedule().since()).isEqualTo("2026-11-25T03:20:00Z");
    assertThat(overdue(NOW.plus(Duration.ofDays(1)))).hasSize(1);
  }

  @ParameterizedTest
  @NullSource
  @MethodSource("switchedOff")
  void shouldStayOverdueUntilTheScheduleIsTakenAway(BackupSettings settings) {
    // Given
    var schedule = new BackupScheduleStatus("0 3 * * *", null, "2026-11-20T10:30:00Z");
    app.setSpec(AppSpecBuilder.builder().backup(settings).build());
    // When the edit is not carried out yet
    edited(null, schedule);
    // Then
    assertThat(status(NOW).backupSchedule()).isEqualTo(schedule);
    assertThat(overdue(NOW)).hasSize(1);
    // and when it is
    edited("2026-11-25T09:50:00Z", schedule);
    assertThat(status(NOW).backupSchedule()).isNull();
    assertThat(overdue(NOW)).isEmpty();
  }

  private static List<BackupSettings> switchedOff() {
    return List.of(new BackupSettings(false, "0 3 * * *", 7, "nightly", null, "30m"));
  }

  @Test
  void shouldKeepTheScheduleWhileAStopIsNotCarriedOut() {
    // Given
    var schedule = new BackupScheduleStatus("0 3 * * *", null, "2026-11-20T10:30:00Z");
    edited(null, schedule);
    app.setSpec(app("2026-11-20T10:30:00Z", RunState.STOPPED).getSpec());
    // When Then
    assertThat(status(NOW).backupSchedule()).isEqualTo(schedule);
    assertThat(overdue(NOW)).hasSize(1);
  }

  @Test
  void shouldBeginAnewAfterAStop() {
    // Given
    var stopped = app("2026-11-25T02:00:00Z", RunState.STOPPED);
    stopped.setStatus(
        withSchedule(
            stopped.getStatus(),
            new BackupScheduleStatus("0 3 * * *", null, "2026-11-20T10:30:00Z")));
    // When Then
    assertThat(new BackupHealth("", stopped, List.of()).in(HEALTH, NOW).backupSchedule()).isNull();
  }

  @Test
  void shouldCountFromTheEndOfTheChangeThatSetsUpTheSchedule() {
    // Given an old App that is being started, or that is getting its first schedule
    edited(null, null);
    assertThat(status(NOW).backupSchedule()).isNull();
    assertThat(overdue(NOW)).isEmpty();
    // When
    edited("2026-11-25T09:50:00Z", status(NOW).backupSchedule());
    // Then
    assertThat(status(NOW).backupSchedule().since()).isEqualTo("2026-11-25T09:50:00Z");
    assertThat(overdue(NOW)).isEmpty();
    assertThat(overdue(NOW.plus(Duration.ofDays(1)))).hasSize(1);
  }

  /**
   * @param at when its change has ended; null while it runs
   */
  private void edited(String at, BackupScheduleStatus schedule) {
    var outcome = at == null ? null : "Succeeded";
    var change =
        ChangeStatusBuilder.builder()
            .generation(7L)
            .runId("run-1")
            .completedAt(at)
            .outcome(outcome)
            .build();
    app.setStatus(
        withSchedule(
            Objects.status(Objects.status(at == null ? 6L : 7L, 7L, change), List.of()), schedule));
  }

  private static AppStatus withSchedule(AppStatus status, BackupScheduleStatus schedule) {
    return status.withBackupSchedule(schedule);
  }

  @Test
  void shouldNotForgetAFailureForAnEditAfterTheScheduledTime() {
    // Given
    app.setStatus(changed("2026-11-25T03:20:00Z", List.of()));
    // When Then
    assertThat(overdue(NOW, YESTERDAY, FAILED)).hasSize(1);
    assertThat(overdue(NOW, YESTERDAY, FAILED, TODAY)).isEmpty();
  }

  @Test
  void shouldNotBeOverdueWhileItIsStoppedOrBeingDeletedOrNew() {
    // Given
    var stopped = app("2026-11-20T10:30:00Z", RunState.STOPPED);
    var deleted = Objects.deleted(app("2026-11-20T10:30:00Z", RunState.RUNNING));
    var created = app("2026-11-20T10:30:00Z", RunState.RUNNING);
    created.setStatus(HEALTH);
    // When Then
    for (var other : List.of(stopped, deleted, created)) {
      var health = new BackupHealth("", other, List.of(YESTERDAY));
      assertThat(health.in(HEALTH, NOW).conditions()).isEmpty();
      assertThat(health.nextCheck(NOW)).isEmpty();
    }
  }

  @Test
  void shouldCompareWithWhatTheStatusSays() {
    // Given
    var next = status(NOW, YESTERDAY);
    app.setStatus(next);
    // When Then
    assertThat(health().current(HEALTH)).isEqualTo(next);
    assertThat(BackupHealth.isOverdue(app)).isTrue();
  }

  private List<Condition> overdue(Instant now, Backup... backups) {
    return status(now, backups).conditions();
  }

  private AppStatus status(Instant now, Backup... backups) {
    return health(backups).in(HEALTH, now);
  }

  private BackupHealth health(Backup... backups) {
    return new BackupHealth("", app, List.of(backups));
  }

  private static App app(String changedAt, RunState state) {
    var app = Objects.app(7, changed(changedAt, List.of()));
    var backup = new BackupSettings(true, "0 3 * * *", 7, "nightly", null, "30m");
    app.setSpec(AppSpecBuilder.builder().state(state).backup(backup).build());
    return app;
  }

  private static AppStatus changed(String at, List<Condition> conditions) {
    var change =
        ChangeStatusBuilder.builder()
            .generation(7L)
            .runId("run-1")
            .completedAt(at)
            .outcome("Succeeded")
            .build();
    return Objects.status(Objects.status(7L, 7L, change), conditions);
  }
}
