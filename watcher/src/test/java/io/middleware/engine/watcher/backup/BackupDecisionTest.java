package io.middleware.engine.watcher.backup;

import static io.middleware.engine.watcher.backup.TestBackups.backup;
import static io.middleware.engine.watcher.backup.TestBackups.beforeUpgrade;
import static io.middleware.engine.watcher.backup.TestBackups.begun;
import static io.middleware.engine.watcher.backup.TestBackups.cancelled;
import static io.middleware.engine.watcher.backup.TestBackups.ended;
import static io.middleware.engine.watcher.backup.TestBackups.scheduled;
import static io.middleware.engine.watcher.backup.TestBackups.scheduledBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.Backup;
import io.middleware.engine.api.BackupStatus;
import io.middleware.engine.watcher.backup.BackupDecision.Check;
import io.middleware.engine.watcher.backup.BackupDecision.End;
import io.middleware.engine.watcher.backup.BackupDecision.Ended;
import io.middleware.engine.watcher.backup.BackupDecision.Start;
import io.middleware.engine.watcher.backup.BackupDecision.Wait;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackupDecisionTest {
  private static final Instant NOW = Instant.parse("2026-11-25T03:00:20Z");
  private final BackupWorkflowIds ids = new BackupWorkflowIds("");

  @Test
  void shouldStartOneThatAPersonCreated() {
    assertThat(decision(backup("mine"), NOW)).isEqualTo(new Start());
  }

  @Test
  void shouldLeaveTheStartToTheRunThatHasCreatedIt() {
    assertThat(decision(scheduled("cache-1"), NOW)).isEqualTo(new Wait(Duration.ofSeconds(40)));
    assertThat(decision(scheduled("cache-1"), NOW.plusSeconds(40)))
        .isEqualTo(new Check(false, BackupStatus.FAILED, BackupDecision.LOST));
  }

  @Test
  void shouldStartNoRunForOneThatAChangeTakes() {
    // Given
    var ofChange = beforeUpgrade("cache-before-g7");
    // When Then
    assertThat(decision(ofChange, NOW)).isEqualTo(new Wait(Duration.ofSeconds(40)));
    assertThat(decision(ofChange, NOW.plusSeconds(40)))
        .isEqualTo(new Check(false, BackupStatus.FAILED, BackupDecision.LOST));
    assertThat(ids.of(ofChange)).isEqualTo("backup/shop/cache-before-g7");
  }

  @Test
  void shouldLookAfterTheRunThatTakesIt() {
    assertThat(decision(begun(backup("mine"), "backup/shop/mine"), NOW))
        .isEqualTo(new Check(false, BackupStatus.FAILED, BackupDecision.LOST));
  }

  @Test
  void shouldStopOneThatIsCancelled() {
    assertThat(decision(cancelled(backup("mine")), NOW))
        .isEqualTo(new Check(true, BackupStatus.CANCELLED, "it was cancelled before it began"));
    assertThat(decision(cancelled(scheduled("cache-1")), NOW))
        .isInstanceOfSatisfying(Check.class, check -> assertThat(check.cancel()).isTrue());
    assertThat(decision(cancelled(begun(backup("mine"), "backup/shop/mine")), NOW))
        .isInstanceOfSatisfying(Check.class, check -> assertThat(check.cancel()).isTrue());
  }

  @Test
  void shouldLeaveAloneOneThatHasEnded() {
    assertThat(decision(ended(backup("mine"), BackupStatus.FAILED, "2026-11-25T03:00:00Z"), NOW))
        .isEqualTo(new Ended());
  }

  @Test
  void shouldFailWhenItsSpecCannotBeRead() {
    // Given
    var unreadable = backup("mine");
    unreadable.setSpec(null);
    // When Then
    assertThat(decision(unreadable, NOW))
        .isEqualTo(
            new End(BackupStatus.FAILED, "its spec cannot be read: it may need a newer engine"));
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
    assertThat(ids.of(scheduled("cache-1"))).isEqualTo(TestBackups.SCHEDULED_RUN);
    assertThat(ids.of(begun(backup("cache-1"), TestBackups.SCHEDULED_RUN)))
        .isEqualTo(TestBackups.SCHEDULED_RUN);
    assertThat(new BackupWorkflowIds("west").of(backup("mine"))).isEqualTo("west/backup/shop/mine");
  }

  private BackupDecision decision(Backup backup, Instant now) {
    return BackupDecision.of(backup, ids.isOfRun(backup), now);
  }
}
