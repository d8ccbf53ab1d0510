package io.middleware.engine.e2e.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.e2e.AppBackup;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.LocalStore;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Temporal;
import io.middleware.engine.e2e.Yaml;
import io.middleware.engine.e2e.redis.DeployedRedisGroup;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowExecutionMetadata;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The schedule of an App, and what operators do to it with Temporal's own tool. */
@EndToEnd
class BackupScheduleE2E {
  private static final String NIGHTLY =
      "schedule: \"0 3 * * *\", timeZone: Europe/Berlin, store: nightly";
  private static final String YEARLY = "schedule: \"@yearly\", store: nightly";
  private static final Duration IDLE = Duration.ofSeconds(20);

  private static Shop shop;
  private static Temporal temporal;

  @BeforeAll
  static void deploy(Shop ownShop, Temporal ownTemporal) {
    DeployedRedisGroup.assumeReal();
    shop = ownShop;
    temporal = ownTemporal;
    new LocalStore(shop).inFolder();
    shop.applyPlugin(shop.file("plugins/redis/plugin.yaml"));
    schedule(NIGHTLY);
  }

  @AfterAll
  static void deleteBackups() {
    if (shop != null) {
      AppBackup.deleteAll(shop);
    }
  }

  /** The clocks are set back on the second of the three days, which has 25 hours. */
  @Test
  void shouldMakeUpForEachMissedTimeOnce() {
    // Given
    schedule(NIGHTLY);
    awaitNext(BackupScheduleE2E::isThreeInBerlin);
    // When
    backfill();
    // Then
    await("three Backups")
        .atMost(Shop.PATIENCE)
        .until(
            () ->
                scheduled().size() == 3
                    && runs("backup").stream().noneMatch(BackupScheduleE2E::isOpen));
    assertThat(scheduled())
        .containsOnlyKeys(
            "cache-20261024-010000", "cache-20261025-020000", "cache-20261026-020000");
    assertThat(AppBackup.all(shop)).allMatch(Backup::hasSucceeded);
    // When
    var before = scheduled();
    var runs = runs("backup").size();
    backfill();
    // Then
    await("three runs more")
        .atMost(Shop.PATIENCE)
        .until(
            () ->
                runs("backup").size() == runs + 3
                    && runs("backup").stream().noneMatch(BackupScheduleE2E::isOpen));
    assertThat(scheduled()).isEqualTo(before);
  }

  @Test
  void shouldKeepThePauseOfAnOperatorUntilHeEndsIt() {
    // Given
    schedule(NIGHTLY);
    // When
    temporal("toggle", "--pause", "--reason", "holiday");
    shop.apply(app(NIGHTLY).replace("spec:\n", "spec:\n  state: Stopped\n"));
    shop.awaitReady("cache");
    schedule(NIGHTLY + ", retention: 3");
    shop.awaitQuiet();
    // Then
    var paused = temporal.schedule(id()).getSchedule().getState();
    assertThat(paused.isPaused()).isTrue();
    assertThat(paused.getNote()).isEqualTo("holiday");
    // When
    temporal("toggle", "--unpause", "--reason", "back");
    schedule(NIGHTLY);
    // Then
    assertThat(temporal.schedule(id()).getSchedule().getState().isPaused()).isFalse();
  }

  @Test
  void shouldCostNothingBetweenTwoBackups() throws InterruptedException {
    // Given
    schedule(YEARLY);
    awaitNext(time -> time.atZone(ZoneOffset.UTC).getDayOfYear() == 1);
    new AppBackup(shop, "monday").apply().ends("Succeeded");
    shop.awaitQuiet();
    var audit = AuditLog.fromNow();
    var events = events();
    // When
    Thread.sleep(IDLE);
    // Then
    assertThat(runs("app").stream().filter(BackupScheduleE2E::isOpen)).isEmpty();
    assertThat(runs("backup").stream().filter(BackupScheduleE2E::isOpen)).isEmpty();
    assertThat(events()).isEqualTo(events);
    assertThat(audit.in(shop.namespace)).noneMatch(AuditLog.Entry::isByEngine);
  }

  /** Waits until all times at which the schedule is due next are such times. */
  private static void awaitNext(Predicate<Instant> wanted) {
    await("next times")
        .atMost(Shop.PATIENCE)
        .until(
            () -> temporal.schedule(id()).getInfo().getNextActionTimes(),
            times -> !times.isEmpty() && times.stream().allMatch(wanted));
  }

  private static boolean isThreeInBerlin(Instant time) {
    return time.atZone(ZoneId.of("Europe/Berlin")).toLocalTime().equals(LocalTime.of(3, 0));
  }

  /** How many events each workflow has, the schedule's own one among them. */
  private static Map<String, Long> events() {
    var workflows = new ArrayList<String>();
    runs("app").forEach(run -> workflows.add(run.getExecution().getWorkflowId()));
    runs("backup").forEach(run -> workflows.add(run.getExecution().getWorkflowId()));
    workflows.add("temporal-sys-scheduler:" + id());
    return workflows.stream()
        .distinct()
        .collect(Collectors.toMap(workflow -> workflow, temporal::historyLength));
  }

  private static List<WorkflowExecutionMetadata> runs(String kind) {
    return temporal.list("WorkflowId STARTS_WITH '%s/%s/'".formatted(kind, shop.namespace));
  }

  private static boolean isOpen(WorkflowExecutionMetadata run) {
    return run.getStatus() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
  }

  /** The Backups of the schedule, with the versions of the objects. */
  private static Map<String, String> scheduled() {
    return AppBackup.all(shop).stream()
        .filter(backup -> backup.scheduledBy().isPresent())
        .collect(
            Collectors.toMap(
                backup -> backup.getMetadata().getName(),
                backup -> backup.getMetadata().getResourceVersion()));
  }

  private static void backfill() {
    temporal(
        "backfill",
        "--start-time",
        "2026-10-24T00:00:00Z",
        "--end-time",
        "2026-10-26T12:00:00Z",
        "--overlap-policy",
        "BufferAll");
  }

  private static void temporal(String verb, String... arguments) {
    var line = new ArrayList<>(List.of("temporal", "schedule", verb, "--schedule-id", id()));
    line.addAll(List.of(arguments));
    Engine.run(line);
  }

  /** Has the App deployed with this schedule. */
  private static void schedule(String backup) {
    shop.apply(app(backup));
    shop.awaitReady("cache");
    await("schedule")
        .atMost(Shop.PATIENCE)
        .ignoreExceptions()
        .until(() -> temporal.schedule(id()) != null);
  }

  private static String id() {
    return "backup/%s/cache".formatted(shop.namespace);
  }

  private static Yaml app(String backup) {
    return shop.file("plugins/redis/app-replication.yaml")
        .replace("replicas: 3", "replicas: 1")
        .plus("  deletionPolicy: Delete\n  backup: {%s}\n".formatted(backup));
  }
}
