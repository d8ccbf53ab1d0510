package io.middleware.engine.watcher.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.api.BackupSettings;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.temporal.api.enums.v1.ScheduleOverlapPolicy;
import io.temporal.client.schedules.Schedule;
import io.temporal.client.schedules.ScheduleActionStartWorkflow;
import io.temporal.client.schedules.ScheduleCalendarSpec;
import io.temporal.client.schedules.ScheduleSpec;
import io.temporal.client.schedules.ScheduleState;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScheduleFormTest {
  private final ScheduleForm form = new ScheduleForm("west");
  private final BackupSchedule monthly = schedule("0 3 1 * 1", "Europe/Berlin", false);

  @Test
  void shouldStartTheRunsOfTheApp() {
    // When
    var schedule = form.schedule(monthly);
    // Then
    assertThat(schedule.getSpec().getCronExpressions())
        .containsExactly("0 3 1 * * # 0 3 1 * *", "0 3 * * 1 # 0 3 * * 1");
    assertThat(schedule.getSpec().getTimeZoneName()).isEqualTo("Europe/Berlin");
    assertThat(schedule.getPolicy().getOverlap())
        .isEqualTo(ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_SKIP);
    assertThat(schedule.getPolicy().getCatchupWindow()).isEqualTo(Duration.ofHours(1));
    assertThat(schedule.getState().isPaused()).isFalse();
    var start = (ScheduleActionStartWorkflow) schedule.getAction();
    assertThat(start.getWorkflowType()).isEqualTo("BackupWorkflow");
    assertThat(start.getOptions().getWorkflowId()).isEqualTo("west/backup/shop/cache");
    assertThat(start.getOptions().getTaskQueue()).isEqualTo("west/engine");
    assertThat(start.getOptions().getTypedSearchAttributes().get(ChangeSearchAttributes.APP))
        .isEqualTo("cache");
  }

  @Test
  void shouldSeeWhatHasChanged() {
    // Given
    var found = translated(monthly, "0 3 * * 1", "0 3 1 * *");
    // When Then
    assertThat(form.differs(monthly, found)).isFalse();
    assertThat(form.differs(schedule("0 3 1 * *", "Europe/Berlin", false), found)).isTrue();
    assertThat(form.differs(schedule("0 3 1 * 1", null, false), found)).isTrue();
    assertThat(form.differs(schedule("0 3 1 * 1", "Europe/Berlin", true), found)).isTrue();
    assertThat(new ScheduleForm("east").differs(monthly, found)).isTrue();
    assertThat(form.differs(monthly, translated(monthly, "", "0 3 1 * *"))).isTrue();
  }

  @Test
  void shouldPauseWhileTheAppIsStopped() {
    // Given
    var stopped = schedule("@daily", null, true);
    var started = schedule("@daily", null, false);
    // When
    var paused = form.schedule(stopped).getState();
    // Then
    assertThat(paused.isPaused()).isTrue();
    assertThat(paused.getNote()).isEqualTo("the App is stopped");
    assertThat(form.schedule(started, paused).getState().isPaused()).isFalse();
  }

  @Test
  void shouldKeepAnOperatorsPause() {
    // Given
    var own = ScheduleState.newBuilder().setPaused(true).setNote("disk is full").build();
    // When Then
    for (var stopped : List.of(true, false)) {
      assertThat(form.schedule(schedule("@daily", null, stopped), own).getState()).isEqualTo(own);
    }
  }

  /** As Temporal answers. */
  private Schedule translated(BackupSchedule desired, String... comments) {
    var calendars =
        Arrays.stream(comments)
            .map(comment -> ScheduleCalendarSpec.newBuilder().setComment(comment).build())
            .toList();
    return Schedule.newBuilder(form.schedule(desired))
        .setSpec(
            ScheduleSpec.newBuilder()
                .setCalendars(calendars)
                .setTimeZoneName(desired.times().zone().getId())
                .build())
        .build();
  }

  private static BackupSchedule schedule(String cron, String zone, boolean paused) {
    var settings = new BackupSettings(true, cron, 7, "nightly", zone, null);
    return new BackupSchedule(
        new ResourceID("cache", "shop"), BackupTimes.of(settings).orElseThrow(), paused);
  }
}
