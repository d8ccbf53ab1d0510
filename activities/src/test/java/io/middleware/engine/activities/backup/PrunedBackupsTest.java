package io.middleware.engine.activities.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.backup.BackupStatusBuilder;
import io.middleware.engine.workflows.port.BackupRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PrunedBackupsTest {
  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");

  @Test
  void shouldKeepTheNewestGoodOnes() {
    assertThat(pruned(2, good(1), good(2), good(3), good(4))).containsExactly("b2", "b1");
  }

  @Test
  void shouldKeepTheLastGoodOneWhateverFailsAfterIt() {
    assertThat(pruned(1, good(1), bad(2), bad(3))).isEmpty();
  }

  @Test
  void shouldDeleteBadOnesThatAreOlderThanAllThatAreKept() {
    assertThat(pruned(2, bad(1), good(2), bad(3), good(4), bad(5))).containsExactly("b1");
  }

  @Test
  void shouldKeepEverythingWithoutAGoodOne() {
    assertThat(pruned(1, bad(1), bad(2))).isEmpty();
  }

  /** A store that is away for a month, and a schedule of each hour. */
  @Test
  void shouldKeepTheNewestBadOnesOnly() {
    var all = new ArrayList<Backup>();
    IntStream.rangeClosed(2, 26).forEach(number -> all.add(bad(number)));
    assertThat(PrunedBackups.afterABadOne(all, NOW).all())
        .extracting(backup -> backup.getMetadata().getName())
        .containsExactlyInAnyOrder("b2", "b3", "b4", "b5", "b6");

    all.addFirst(good(1));
    all.addLast(good(27));
    assertThat(pruned(2, all.toArray(Backup[]::new)))
        .containsExactlyInAnyOrder("b2", "b3", "b4", "b5", "b6");
  }

  @Test
  void shouldNeitherDeleteNorCountWhatAPersonHasAskedFor() {
    var own = good(5);
    own.getMetadata().setAnnotations(Map.of());

    assertThat(pruned(1, good(1), good(2), own)).containsExactly("b1");
  }

  @Test
  void shouldNotTouchThoseThatRun() {
    assertThat(pruned(1, backup(1, "InProgress"), good(2))).isEmpty();
  }

  @Test
  void shouldNotCountThoseThatAreBeingDeleted() {
    var leaving = good(3);
    leaving.getMetadata().setDeletionTimestamp("2026-11-25T04:00:00Z");

    assertThat(pruned(1, good(1), good(2), leaving)).containsExactly("b1");
  }

  /** The clock of the worker that took the first one was a year ahead. */
  @Test
  void shouldGoByTheTimeOfCreationWhateverAWorkersClockSaid() {
    var ahead = good(1);
    ahead.setStatus(startedAt("2027-11-01T03:00:00Z"));

    assertThat(pruned(1, ahead, good(2), good(3))).containsExactly("b2", "b1");
  }

  @Test
  void shouldKeepTheBackupOfTheRunThatPrunes() {
    var first = good(1);
    first.getMetadata().setCreationTimestamp("2027-11-01T03:00:00Z");
    var second = good(2);
    second.getMetadata().setCreationTimestamp("2028-11-01T03:00:00Z");

    assertThat(pruned(1, first, second, good(3))).containsExactly("b2", "b1");
    assertThat(pruned(2, first, second, good(3))).containsExactly("b1");
  }

  private static BackupStatus startedAt(String at) {
    return BackupStatusBuilder.builder().phase("Succeeded").startedAt(at).completedAt(at).build();
  }

  @Test
  void shouldBelieveOnlyWhatARunOfTheScheduleHasMade() {
    var newest = new BackupRef("", "shop", "cache", "b9", "backup/shop/cache-9", "run", true);
    assertThat(PrunedBackups.isOfSchedule(made("backup/shop/cache-1", "uid"), newest, "uid"))
        .isTrue();
    assertThat(PrunedBackups.isOfSchedule(made("backup/shop/cache-1", "uid-0"), newest, "uid"))
        .isFalse();
    assertThat(PrunedBackups.isOfSchedule(made("backup/shop/own", "uid"), newest, "uid")).isFalse();
  }

  private static Backup made(String workflow, String appUid) {
    var backup = good(1);
    backup.getMetadata().setAnnotations(Map.of(Labels.SCHEDULED_BY, workflow));
    backup.setStatus(
        BackupStatusBuilder.builder()
            .phase("Succeeded")
            .appUid(appUid)
            .workflowId(workflow)
            .build());
    return backup;
  }

  private static List<String> pruned(int retention, Backup... backups) {
    var all = Arrays.asList(backups);
    var newest = all.getLast().getMetadata().getName();
    var ref = new BackupRef("", "shop", "cache", newest, "backup/shop/cache-9", "run", true);
    return PrunedBackups.of(all, ref, retention, NOW).all().stream()
        .map(backup -> backup.getMetadata().getName())
        .toList();
  }

  private static Backup good(int day) {
    return backup(day, "Succeeded");
  }

  private static Backup bad(int day) {
    return backup(day, "Failed");
  }

  private static Backup backup(int day, String phase) {
    var at = "2026-11-%02dT03:00:00Z".formatted(day);
    var backup = new Backup();
    backup.setMetadata(
        new ObjectMetaBuilder()
            .withName("b" + day)
            .withCreationTimestamp(at)
            .withAnnotations(Map.of(Labels.SCHEDULED_BY, "backup/shop/cache-" + day))
            .build());
    backup.setStatus(
        BackupStatus.pending("").ended(phase, "", "InProgress".equals(phase) ? null : at));
    return backup;
  }
}
