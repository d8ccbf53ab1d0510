package io.middleware.engine.workflows.backup;

import static io.middleware.engine.workflows.ChangeEnvironment.cancel;
import static io.middleware.engine.workflows.ChangeEnvironment.request;
import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.ChangeEnvironment;
import io.middleware.engine.workflows.FakeCluster;
import io.middleware.engine.workflows.Plans;
import io.middleware.engine.workflows.port.BackupRef;
import io.middleware.engine.workflows.request.RetryRequest;
import io.temporal.api.history.v1.HistoryEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A change that takes a backup before it upgrades. */
class UpgradeBackupIT {
  private static final String BACKUP = "7-backup-cache";
  private static final String UPGRADE = "7-versionupgrade-nodes";

  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);
  private final FakeCluster cluster = env.cluster;
  private final FakeBackups backups = env.backups;

  @BeforeEach
  void plan() {
    cluster.planner =
        change ->
            Plans.backedUp(
                Plans.undoing(
                    change.generation(), ChangeType.VERSION_UPGRADE, Plans.ROLLBACK, "nodes"));
  }

  @Test
  void shouldTouchNothingBeforeTheBackupIsGood() {
    // Given
    var before = new CopyOnWriteArrayList<String>();
    backups.at.put("end Succeeded: ", () -> before.addAll(cluster.operations));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(before).containsExactly("plan 7");
    assertThat(env.phases()).containsExactly(TaskPhase.DONE, TaskPhase.DONE);
    assertThat(cluster.operations).contains("settle " + UPGRADE);
    assertThat(backups.begun)
        .singleElement()
        .satisfies(
            backup -> {
              assertThat(backup.workflowId()).isEqualTo("backup/shop/cache-before-g7");
              assertThat(backup.beforeUpgradeTo()).hasValue(7L);
              assertThat(backup.scheduled()).isFalse();
            });
  }

  @Test
  void shouldCarryOutTheOnlyOtherTaskInTheRunOfTheApp() {
    // Given
    env.carryOutInRun();
    var planner = cluster.planner;
    cluster.planner = change -> Plans.backedUp(planner.apply(change));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(env.history("").filter(UpgradeBackupIT::startsChild)).hasSize(1);
    assertThat(cluster.operations).contains("settle 7-config-nodes");
  }

  @Test
  void shouldUpgradeNothingWithoutAGoodBackup() {
    // Given
    oneCopyFails("disk full");
    // When
    env.change(7);
    // Then
    assertThat(env.result())
        .isEqualTo(
            "Failed: task 7-backup-cache failed: Backup cache-before-g7 failed: disk full; nothing was upgraded; see kubectl describe mwbackup -n shop cache-before-g7; to upgrade without a backup set spec.backup.beforeUpgrade to false");
    assertThat(env.phases()).containsExactly(TaskPhase.FAILED, TaskPhase.SKIPPED);
    assertThat(env.task(BACKUP).fault().orElseThrow().reason()).isEqualTo("BackupFailed");
    assertThat(env.task(BACKUP).attempts()).isEqualTo(1);
    assertThat(cluster.operations).containsExactly("plan 7");
    assertThat(backups.calls).endsWith("discard", "end Failed: disk full");
  }

  @Test
  void shouldSayWhyABackupDoesNotBegin() {
    // Given
    backups.refusal = Optional.of("BackupStore shop/nightly does not exist");
    // When
    env.change(7);
    // Then
    assertThat(env.result())
        .startsWith(
            "Failed: task 7-backup-cache failed: Backup cache-before-g7 failed: BackupStore shop/nightly does not exist; ");
  }

  @Test
  void shouldFailAtOnceWhenTheBackupHasTakenTooLong() {
    // Given
    backups.timeout = Duration.ofSeconds(1);
    backups.at.put("copy shard-0", FakeBackups::hangs);
    // When
    env.change(7);
    // Then
    assertThat(env.result())
        .startsWith(
            "Failed: task 7-backup-cache failed: Backup cache-before-g7 failed: a step did not finish in time");
    assertThat(env.task(BACKUP).attempts()).isEqualTo(1);
  }

  @Test
  void shouldTakeAnotherBackupWhenABadOneIsRetried() {
    // Given
    oneCopyFails("disk full");
    env.change(7);
    env.result();
    backups.at.clear();
    // When
    env.change(request(7).again(new RetryRequest(List.of(BACKUP), true)));
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(names()).containsExactly("cache-before-g7", "cache-before-g7-2");
  }

  @Test
  void shouldTakeNoSecondBackupWhenTheUpgradeIsRetried() {
    // Given
    cluster.fault =
        operation ->
            operation.equals("apply nodes/shard-0") && env.isFirst(operation)
                ? fails(FaultKind.INVALID, "broken")
                : null;
    env.change(7);
    assertThat(env.result()).startsWith("Failed: task " + UPGRADE);
    // When
    env.change(request(7).again(new RetryRequest(List.of(BACKUP, UPGRADE), false)));
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(names()).containsExactly("cache-before-g7");
  }

  @Test
  void shouldStopTheBackupWhenItsTaskIsCancelled() {
    // Given
    whileItCopies(() -> env.update("cancelTasks", cancel(BACKUP)));
    // When
    env.change(7);
    // Then
    assertCancelled();
  }

  @Test
  void shouldCancelTheTaskWhenItsBackupIsCancelled() {
    // Given
    whileItCopies(
        () -> env.client().newUntypedWorkflowStub("backup/shop/cache-before-g7").cancel());
    // When
    env.change(7);
    // Then
    assertCancelled();
  }

  @Test
  void shouldTakeTheBackupOfANewerEditThatTakesOver() {
    // Given
    whileItCopies(() -> env.change(request(8).in(false, true)));
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(names()).containsExactly("cache-before-g7", "cache-before-g8");
    assertThat(backups.calls).contains("end Cancelled: it was cancelled", "end Succeeded: ");
    assertThat(cluster.ends()).first().asString().startsWith("7 Superseded");
  }

  private void assertCancelled() {
    assertThat(env.result())
        .isEqualTo(
            "Cancelled: cancelled by request; 7-backup-cache Cancelled; 7-versionupgrade-nodes Skipped");
    assertThat(backups.calls).endsWith("discard", "end Cancelled: it was cancelled");
    assertThat(cluster.operations).containsExactly("plan 7");
  }

  /** The other copy still runs: see {@link BackupIT}. */
  private void oneCopyFails(String why) {
    backups.at.put("copy shard-0", FakeBackups::hangs);
    backups.at.put("copy shard-1", FakeBackups.fails(why));
  }

  /** The copies hang then; later ones do not. */
  private void whileItCopies(Runnable action) {
    backups.at.put("copy shard-1", FakeBackups::hangs);
    backups.at.put(
        "copy shard-0",
        () -> {
          env.await(() -> backups.calls.contains("copy shard-1"));
          backups.at.clear();
          action.run();
          FakeBackups.hangs();
        });
  }

  private List<String> names() {
    return backups.begun.stream().map(BackupRef::name).toList();
  }

  private static boolean startsChild(HistoryEvent event) {
    return event.hasStartChildWorkflowExecutionInitiatedEventAttributes();
  }
}
