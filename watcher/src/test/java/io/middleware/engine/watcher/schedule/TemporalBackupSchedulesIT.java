package io.middleware.engine.watcher.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.api.BackupSettings;
import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.process.servers.OnTemporal;
import io.middleware.engine.watcher.change.RunsOnTemporal;
import io.middleware.engine.watcher.temporal.TemporalUnavailableException;
import io.temporal.client.schedules.ScheduleDescription;
import io.temporal.client.schedules.ScheduleException;
import io.temporal.client.schedules.ScheduleHandle;
import io.temporal.client.schedules.ScheduleOptions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OnTemporal.class)
class TemporalBackupSchedulesIT {
  private static final ResourceID CACHE = new ResourceID("cache", "shop");
  private static final String WEEKLY_AND_MONTHLY = "0 3 1 * 1";

  private final RunsOnTemporal temporal;
  private final TemporalBackupSchedules schedules;

  TemporalBackupSchedulesIT(LocalTemporal server) {
    this.temporal = new RunsOnTemporal(server);
    this.schedules = new TemporalBackupSchedules(temporal.calls, temporal.cluster);
  }

  @Test
  void shouldMakeAScheduleOnce() {
    // When Then
    assertThat(schedules.apply(schedule(WEEKLY_AND_MONTHLY))).isTrue();
    assertThat(schedules.apply(schedule(WEEKLY_AND_MONTHLY))).as("it is there").isFalse();
    assertThat(describe().getInfo().getNextActionTimes()).isNotEmpty();
  }

  @Test
  void shouldChangeAScheduleOnce() {
    // Given
    schedules.apply(schedule("@daily"));
    // When Then
    assertThat(schedules.apply(schedule("30 2 * * *", "Europe/Berlin", false))).isTrue();
    assertThat(schedules.apply(schedule("30 2 * * *", "Europe/Berlin", false))).isFalse();
    assertThat(describe().getSchedule().getSpec().getTimeZoneName()).isEqualTo("Europe/Berlin");
  }

  @Test
  void shouldPauseAndGoOnOnceEach() {
    // Given
    schedules.apply(schedule("@daily"));
    // When Then
    assertThat(schedules.apply(paused())).isTrue();
    assertThat(schedules.apply(paused())).isFalse();
    assertThat(isPaused()).isTrue();
    // and then
    assertThat(schedules.apply(schedule("@daily"))).isTrue();
    assertThat(schedules.apply(schedule("@daily"))).isFalse();
    assertThat(isPaused()).isFalse();
  }

  @Test
  void shouldMakeThatOfAStoppedAppPaused() {
    // When
    schedules.apply(paused());
    // Then
    assertThat(isPaused()).isTrue();
  }

  @Test
  void shouldKeepThePauseOfAnOperatorWhenItChanges() {
    // Given
    schedules.apply(schedule("@daily"));
    handle().pause("disk is full");
    // When Then
    assertThat(schedules.apply(schedule("@daily"))).isFalse();
    assertThat(schedules.apply(schedule("@hourly"))).isTrue();
    assertThat(isPaused()).isTrue();
    assertThat(describe().getSchedule().getState().getNote()).isEqualTo("disk is full");
  }

  @Test
  void shouldDeleteAScheduleAndCanDoSoTwice() {
    // Given
    schedules.apply(schedule("@daily"));
    // When
    schedules.delete(CACHE);
    // Then
    assertThatThrownBy(this::describe).isInstanceOf(ScheduleException.class);
    assertThatCode(() -> schedules.delete(CACHE)).doesNotThrowAnyException();
    // and then
    assertThat(schedules.apply(schedule("@daily"))).as("made again").isTrue();
  }

  /** One that somebody has made by hand, or an older version. */
  @Test
  void shouldTakeOverAScheduleOfTheSameId() {
    // Given
    var foreign = new ScheduleForm("another").schedule(schedule("@yearly"));
    temporal.schedules().createSchedule(id(), foreign, ScheduleOptions.newBuilder().build());
    // When Then
    assertThat(schedules.apply(schedule("@daily"))).isTrue();
    assertThat(schedules.apply(schedule("@daily"))).isFalse();
  }

  /** What another watcher has made meanwhile is compared at the next attempt. */
  @Test
  void shouldSayThatTheIdIsBusy() {
    // Given
    schedules.apply(schedule("@daily"));
    // When Then
    assertThatThrownBy(() -> schedules.create(schedule("@daily")))
        .isInstanceOf(TemporalUnavailableException.class)
        .hasMessageContaining("Schedule already running");
  }

  @Test
  void shouldListTheAppsOfItsClusterOnly() {
    // Given
    schedules.apply(schedule("@daily"));
    var other = new TemporalBackupSchedules(temporal.calls, temporal.cluster + "-b");
    other.apply(schedule("@daily"));
    temporal
        .schedules()
        .createSchedule(
            temporal.cluster + "/backup/by-hand",
            new ScheduleForm(temporal.cluster).schedule(schedule("@daily")),
            ScheduleOptions.newBuilder().build());
    // When Then
    Awaitility.await().untilAsserted(() -> assertThat(schedules.apps()).containsExactly(CACHE));
    Awaitility.await().untilAsserted(() -> assertThat(other.apps()).containsExactly(CACHE));
  }

  private static BackupSchedule paused() {
    return schedule("@daily", null, true);
  }

  private static BackupSchedule schedule(String cron) {
    return schedule(cron, null, false);
  }

  private static BackupSchedule schedule(String cron, String zone, boolean paused) {
    var settings = new BackupSettings(true, cron, 7, "nightly", zone, null);
    return new BackupSchedule(CACHE, BackupTimes.of(settings).orElseThrow(), paused);
  }

  private boolean isPaused() {
    return describe().getSchedule().getState().isPaused();
  }

  private ScheduleDescription describe() {
    return handle().describe();
  }

  private ScheduleHandle handle() {
    return temporal.schedule("backup/shop/cache");
  }

  private String id() {
    return temporal.cluster + "/backup/shop/cache";
  }
}
