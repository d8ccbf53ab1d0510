package io.middleware.engine.watcher.backup;

import static io.middleware.engine.watcher.backup.SampleBackups.backup;
import static io.middleware.engine.watcher.backup.SampleBackups.beforeUpgrade;
import static io.middleware.engine.watcher.backup.SampleBackups.begun;
import static io.middleware.engine.watcher.backup.SampleBackups.cancelled;
import static io.middleware.engine.watcher.backup.SampleBackups.deleted;
import static io.middleware.engine.watcher.backup.SampleBackups.ended;
import static io.middleware.engine.watcher.backup.SampleBackups.scheduled;
import static io.middleware.engine.watcher.backup.SampleBackups.scheduledBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.watcher.request.RequestDecision;
import io.middleware.engine.watcher.request.RequestDecision.Check;
import io.middleware.engine.watcher.request.RequestDecision.End;
import io.middleware.engine.watcher.request.RequestDecision.Start;
import io.middleware.engine.watcher.request.RequestDecision.Wait;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackupKindTest {
  private static final Instant NOW = Instant.parse("2026-11-25T03:00:20Z");
  private static final End LOST =
      new End(
          "Failed",
          Optional.of("RunLost"),
          "its run ended without a result: it was terminated, or Temporal has lost it; "
              + "the copies it made are deleted with this Backup; create another Backup");

  private final BackupWorkflowIds ids = new BackupWorkflowIds("");
  private final BackupKind kind = new BackupKind(ids, null);

  @Test
  void shouldStartOneThatAPersonCreated() {
    assertThat(decision(backup("mine"))).isEqualTo(new Start(Optional.empty()));
  }

  /** The run is open when it creates its Backup. */
  @Test
  void shouldLookForTheRunThatHasCreatedIt() {
    assertThat(decision(scheduled("cache-1"))).isEqualTo(new Check(false, LOST));
    assertThat(ids.of(scheduled("cache-1"))).isEqualTo(SampleBackups.SCHEDULED_RUN);
    // and of a change
    var ofChange = beforeUpgrade("cache-before-g7");
    assertThat(decision(ofChange)).isEqualTo(new Check(false, LOST));
    assertThat(ids.of(ofChange)).isEqualTo("backup/shop/cache-before-g7");
  }

  @Test
  void shouldLookAfterTheRunThatTakesIt() {
    assertThat(decision(begun(backup("mine"), "backup/shop/mine")))
        .isEqualTo(new Check(false, LOST));
  }

  @Test
  void shouldStopOneThatIsCancelled() {
    assertThat(decision(cancelled(backup("mine"))))
        .isEqualTo(new Check(true, new End("Cancelled", "it was cancelled before it began")));
    assertThat(decision(cancelled(scheduled("cache-1"))))
        .isInstanceOfSatisfying(Check.class, check -> assertThat(check.cancel()).isTrue());
    assertThat(decision(cancelled(begun(backup("mine"), "backup/shop/mine"))))
        .isInstanceOfSatisfying(Check.class, check -> assertThat(check.cancel()).isTrue());
  }

  /** Its run may have copied something since it was seen. */
  @Test
  void shouldLookForARunBeforeOneIsReleased() {
    assertThat(kind.progress(deleted(backup("mine"))).begun()).isTrue();
    assertThat(kind.progress(backup("mine")).begun()).isFalse();
  }

  @Test
  void shouldKeepOneThatHasEnded() {
    assertThat(decision(ended(backup("mine"), BackupStatus.FAILED, "2026-11-25T03:00:00Z")))
        .isEqualTo(new Wait(Optional.empty()));
  }

  @Test
  void shouldFailWhenItsSpecCannotBeRead() {
    // Given
    var unreadable = begun(backup("mine"), "backup/shop/mine");
    unreadable.setSpec(null);
    // When Then
    assertThat(decision(unreadable))
        .isInstanceOfSatisfying(
            End.class,
            end -> {
              assertThat(end.phase()).isEqualTo(BackupStatus.FAILED);
              assertThat(end.why())
                  .isEqualTo("its spec cannot be read: it may need a newer engine");
            });
  }

  @Test
  void shouldKeepTheCopiesOfOneThatHasEndedWithoutARun() {
    // Given
    var begun = begun(backup("mine"), "backup/shop/mine", "nodes/shard-0");
    // When
    var status = kind.ended(begun, LOST, "2026-11-25T03:00:20Z");
    // Then
    assertThat(status.phase()).isEqualTo(BackupStatus.FAILED);
    assertThat(status.message()).isEqualTo(LOST.why());
    assertThat(status.completedAt()).isEqualTo("2026-11-25T03:00:20Z");
    assertThat(status.copies()).hasSize(1);
    // and of one that never had a status
    assertThat(kind.ended(backup("mine"), LOST, "2026-11-25T03:00:20Z").message())
        .isEqualTo(LOST.why());
  }

  @Test
  void shouldKnowFromTheCacheHowFarABackupIs() {
    // Given
    var seen = begun(scheduled("cache-1"), SampleBackups.SCHEDULED_RUN, "nodes/shard-0");
    var progress = kind.progress(seen);
    // When
    kind.reduce(seen);
    // Then
    assertThat(kind.progress(seen)).isEqualTo(progress);
    assertThat(ids.of(seen)).isEqualTo(SampleBackups.SCHEDULED_RUN);
  }

  /** A person who may create Backups could have the engine cancel any workflow otherwise. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "app/shop/cache",
        "backup/other/cache-2026-11-25T03:00:00Z",
        "backup/shop/queue-2026-11-25T03:00:00Z",
        "west/backup/shop/cache-2026-11-25T03:00:00Z"
      })
  void shouldBelieveNoOtherWorkflow(String workflowId) {
    // Given
    var pretender = scheduledBy("mine", workflowId);
    // When Then
    assertThat(ids.isOfRun(pretender)).isFalse();
    assertThat(ids.of(pretender)).isEqualTo("backup/shop/mine");
    assertThat(ids.of(begun(pretender, workflowId))).isEqualTo("backup/shop/mine");
  }

  @Test
  void shouldKnowTheWorkflowThatTakesIt() {
    assertThat(ids.of(scheduled("cache-1"))).isEqualTo(SampleBackups.SCHEDULED_RUN);
    assertThat(ids.of(begun(backup("cache-1"), SampleBackups.SCHEDULED_RUN)))
        .isEqualTo(SampleBackups.SCHEDULED_RUN);
    assertThat(new BackupWorkflowIds("west").of(backup("mine"))).isEqualTo("west/backup/shop/mine");
  }

  private RequestDecision decision(Backup backup) {
    return RequestDecision.of(kind.progress(backup), BackupKind.ENDS, NOW);
  }
}
