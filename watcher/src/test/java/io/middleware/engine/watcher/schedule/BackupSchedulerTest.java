package io.middleware.engine.watcher.schedule;

import static io.middleware.engine.watcher.Objects.change;
import static io.middleware.engine.watcher.Objects.status;
import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpecBuilder;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.BackupScheduleStatus;
import io.middleware.engine.api.BackupSettings;
import io.middleware.engine.api.RunState;
import io.middleware.engine.watcher.FakeClock;
import io.middleware.engine.watcher.Objects;
import io.middleware.engine.watcher.cache.ServedNamespaces;
import io.middleware.engine.watcher.temporal.TemporalUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BackupSchedulerTest {
  private static final Duration RESYNC = Duration.ofMinutes(1);
  private static final AppStatus DONE = status(7L, 7L, change(7, "Succeeded"));
  private static final BackupSettings DAILY =
      new BackupSettings(true, "@daily", 7, "nightly", null, null);

  private final FakeSchedules schedules = new FakeSchedules();
  private final FakeClock clock = new FakeClock();
  private final BackupScheduler scheduler =
      new BackupScheduler(schedules, new ServedNamespaces(List.of("shop")), RESYNC, clock);

  @AfterEach
  void close() {
    scheduler.close();
  }

  @Test
  void shouldWriteAScheduleOnceAndCompareItNowAndThen() {
    // When
    scheduler.reconcile(app(DAILY));
    clock.pass(Duration.ofSeconds(20));
    var next = scheduler.reconcile(app(DAILY));
    // Then
    assertThat(schedules.told).containsExactly("apply shop/cache [0 0 * * *] UTC");
    assertThat(next).contains(Duration.ofSeconds(40));
    // and
    clock.pass(Duration.ofSeconds(40));
    scheduler.reconcile(app(DAILY));
    assertThat(schedules.told).hasSize(2);
  }

  @Test
  void shouldWriteAChangeAtOnce() {
    // Given
    scheduler.reconcile(app(DAILY));
    // When
    scheduler.reconcile(
        app(new BackupSettings(true, "0 3 * * *", 7, "nightly", "Europe/Berlin", null)));
    scheduler.reconcile(stopped(app(DAILY)));
    // Then
    assertThat(schedules.told)
        .endsWith(
            "apply shop/cache [0 3 * * *] Europe/Berlin",
            "apply shop/cache [0 0 * * *] UTC paused");
  }

  @Test
  void shouldLeaveTheScheduleUntilTheNewestEditIsCarriedOut() {
    // Given
    scheduler.reconcile(app(DAILY));
    var without = app(null);
    // When
    without.setStatus(status(6L, 7L, change(6, "Succeeded")));
    scheduler.reconcile(without);
    without.setStatus(status(7L, 7L, change(7, "Rejected")));
    scheduler.reconcile(without);
    without.setStatus(status(7L, 7L, change(7, null)));
    scheduler.reconcile(without);
    without.setStatus(null);
    scheduler.reconcile(without);
    // Then
    assertThat(schedules.told).hasSize(1);
    // and when it is
    without.setStatus(DONE);
    scheduler.reconcile(without);
    assertThat(schedules.told).endsWith("delete shop/cache");
  }

  /** Temporal has lost it, and the newest edit is rejected. */
  @Test
  void shouldMakeTheLastScheduleAgainWhateverTheNewestEditIs() {
    // Given
    var edited = app(new BackupSettings(true, "@hourly", 7, "nightly", null, null));
    edited.setStatus(
        inForce(
            status(6L, 7L, change(7, "Rejected")),
            new BackupScheduleStatus("@daily", "Europe/Berlin", "2026-11-20T10:30:00Z")));
    // When
    scheduler.reconcile(edited);
    // Then
    assertThat(schedules.told).containsExactly("apply shop/cache [0 0 * * *] Europe/Berlin");
  }

  private static AppStatus inForce(AppStatus status, BackupScheduleStatus schedule) {
    return status.withBackupSchedule(schedule);
  }

  @Test
  void shouldDeleteTheScheduleOfAnAppThatIsDeletedOrDoesWithout() {
    for (var other :
        List.of(
            Objects.deleted(app(DAILY)),
            app(new BackupSettings(false, "@daily", 7, "nightly", null, null)),
            app(new BackupSettings(true, "@daily", 7)))) {
      scheduler.reconcile(app(DAILY));
      scheduler.reconcile(other);
      scheduler.reconcile(other);
    }
    assertThat(schedules.told).filteredOn("delete shop/cache"::equals).hasSize(3);
    assertThat(schedules.told).hasSize(6);
  }

  @Test
  void shouldAskNothingForAnAppWithoutBackups() {
    // When
    var next = scheduler.reconcile(app(null));
    // Then
    assertThat(next).isEmpty();
    assertThat(schedules.told).isEmpty();
  }

  @Test
  void shouldDeleteWhatIsLeftOfEarlierApps() {
    // Given
    schedules.existing =
        List.of(
            new ResourceID("cache", "shop"),
            new ResourceID("gone", "shop"),
            new ResourceID("gone", "unserved"));
    scheduler.observe(
        id -> id.getName().equals("cache") ? Optional.of(app(DAILY)) : Optional.empty());
    // When
    scheduler.sweep();
    // Then
    assertThat(schedules.told).containsExactly("delete shop/gone");
    // and an App that does without from then on has a schedule to delete
    scheduler.reconcile(app(null));
    assertThat(schedules.told).endsWith("delete shop/cache");
  }

  @Test
  void shouldTryAgainWhenTemporalDoesNotAnswer() {
    // Given
    schedules.unavailable = true;
    // When
    var next = scheduler.reconcile(app(DAILY));
    // Then
    assertThat(next).isPresent();
    schedules.unavailable = false;
    scheduler.reconcile(app(DAILY));
    assertThat(schedules.told).hasSize(1);
  }

  private static App app(BackupSettings backup) {
    return with(RunState.RUNNING, backup);
  }

  private static App stopped(App app) {
    return with(RunState.STOPPED, app.getSpec().backup());
  }

  private static App with(RunState state, BackupSettings backup) {
    var app = Objects.app(7, DONE);
    app.setSpec(AppSpecBuilder.builder().state(state).backup(backup).build());
    return app;
  }

  private static final class FakeSchedules implements BackupSchedules {
    final List<String> told = new ArrayList<>();
    List<ResourceID> existing = List.of();
    boolean unavailable;

    @Override
    public List<ResourceID> apps() {
      return existing;
    }

    @Override
    public boolean apply(BackupSchedule schedule) {
      answer();
      told.add(
          "apply %s %s %s%s"
              .formatted(
                  name(schedule.app()),
                  schedule.times().expressions(),
                  schedule.times().zone(),
                  schedule.paused() ? " paused" : ""));
      return true;
    }

    @Override
    public void delete(ResourceID app) {
      answer();
      told.add("delete " + name(app));
    }

    private static String name(ResourceID app) {
      return app.getNamespace().orElseThrow() + "/" + app.getName();
    }

    private void answer() {
      if (unavailable) {
        throw new TemporalUnavailableException("unavailable", null);
      }
    }
  }
}
