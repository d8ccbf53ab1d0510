package io.middleware.engine.watcher.backup;

import static io.middleware.engine.watcher.backup.TestBackups.backup;
import static io.middleware.engine.watcher.backup.TestBackups.begun;
import static io.middleware.engine.watcher.backup.TestBackups.cancelled;
import static io.middleware.engine.watcher.backup.TestBackups.deleted;
import static io.middleware.engine.watcher.backup.TestBackups.ended;
import static io.middleware.engine.watcher.backup.TestBackups.scheduled;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.Backup;
import io.middleware.engine.api.BackupStatus;
import io.middleware.engine.watcher.TestClock;
import io.middleware.engine.watcher.change.TemporalUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BackupSubmissionTest {
  private static final String MINE = "backup/shop/mine";
  private static final String BEGAN = "2026-11-25T03:00:01Z";

  private final FakeRuns runs = new FakeRuns();
  private final FakeBackups objects = new FakeBackups();
  private final TestClock clock = new TestClock();
  private final BackupSubmission submission = new BackupSubmission(runs, objects, "", clock);

  @Test
  void shouldStartARunOnce() {
    // Given
    objects.live = backup("mine");
    // When
    submission.reconcile(objects.live);
    submission.reconcile(objects.live);
    // Then
    assertThat(runs.told).containsExactly("start " + MINE);
    assertThat(objects.live.getStatus()).isEqualTo(BackupStatus.pending("is about to begin"));
  }

  @Test
  void shouldStartNothingForOneThatHasEndedSinceItWasSeen() {
    // Given
    objects.live = ended(backup("mine"), BackupStatus.FAILED, BEGAN);
    // When
    submission.reconcile(backup("mine"));
    // Then
    assertThat(runs.told).isEmpty();
    assertThat(objects.writes).isZero();
  }

  @Test
  void shouldSayThatTemporalDoesNotAnswer() {
    // Given
    objects.live = backup("mine");
    runs.unavailable = true;
    // When
    submission.reconcile(objects.live);
    // Then
    assertThat(objects.live.getStatus().message()).startsWith("Temporal does not answer: ");
  }

  @Test
  void shouldFailWhenItsRunIsLost() {
    // Given
    objects.live = begun(backup("mine"), MINE, "nodes/shard-0");
    // When
    submission.reconcile(objects.live);
    // Then
    assertThat(objects.live.getStatus().phase()).isEqualTo(BackupStatus.FAILED);
    assertThat(objects.live.getStatus().message()).startsWith("its run ended without a result");
    assertThat(objects.live.getStatus().completedAt()).isEqualTo("2026-11-21T10:00:00Z");
    assertThat(objects.live.getStatus().copies()).hasSize(1);
  }

  /** What the watcher has seen may be older than the end of the run. */
  @Test
  void shouldNotOverwriteHowItsRunHasEndedIt() {
    // Given
    objects.live = ended(backup("mine"), BackupStatus.SUCCEEDED, BEGAN);
    // When
    submission.reconcile(begun(backup("mine"), MINE));
    // Then
    assertThat(objects.writes).isZero();
  }

  @Test
  void shouldAskItsRunToStop() {
    // Given
    objects.live = cancelled(begun(backup("mine"), MINE));
    runs.open.add(MINE);
    // When
    submission.reconcile(objects.live);
    // Then
    assertThat(runs.told).containsExactly("cancel " + MINE);
    assertThat(objects.live.hasEnded()).isFalse();
  }

  @Test
  void shouldCancelOneThatHasNotBegun() {
    // Given
    objects.live = cancelled(backup("mine"));
    // When
    submission.reconcile(objects.live);
    // Then
    assertThat(runs.told).isEmpty();
    assertThat(objects.live.getStatus().phase()).isEqualTo(BackupStatus.CANCELLED);
  }

  @Test
  void shouldStopTheRunBeforeItsCopiesAreDeleted() {
    // Given
    objects.live = deleted(begun(scheduled("cache-1"), TestBackups.SCHEDULED_RUN, "nodes/shard-0"));
    runs.open.add(TestBackups.SCHEDULED_RUN);
    // When
    submission.remove(objects.live);
    // Then
    assertThat(runs.told).containsExactly("cancel " + TestBackups.SCHEDULED_RUN);
    // and then
    runs.open.clear();
    assertThat(submission.remove(objects.live)).isPresent();
    assertThat(runs.told).endsWith("remove backup/shop/cache-1/removal");
  }

  @Test
  void shouldTryTheRemovalAgainNowAndThen() {
    // Given
    objects.live = deleted(ended(backup("mine"), BackupStatus.SUCCEEDED, BEGAN));
    submission.remove(objects.live);
    // When
    clock.pass(Duration.ofSeconds(20));
    var next = submission.remove(objects.live);
    // Then
    assertThat(next).contains(Duration.ofSeconds(40));
    assertThat(runs.told).hasSize(1);
    // and when it has failed
    runs.open.clear();
    clock.pass(Duration.ofSeconds(40));
    submission.remove(objects.live);
    assertThat(runs.told).hasSize(2);
  }

  @Test
  void shouldReleaseAtOnceWhatHasNoCopies() {
    // Given
    objects.live = deleted(backup("mine"));
    // When Then
    assertThat(submission.remove(objects.live)).isEmpty();
    assertThat(runs.told).isEmpty();
  }

  @Test
  void shouldNotReleaseWhileItIsUnknownWhetherARunIsOpen() {
    // Given
    objects.live = deleted(backup("mine"));
    runs.unavailable = true;
    // When Then
    assertThat(submission.remove(objects.live)).isPresent();
  }

  private static final class FakeRuns implements BackupRuns {
    final List<String> told = new ArrayList<>();
    final Set<String> open = new HashSet<>();
    boolean unavailable;

    @Override
    public boolean start(Backup backup) {
      return started("start ", new BackupWorkflowIds("").of(backup));
    }

    @Override
    public boolean startRemoval(Backup backup) {
      return started("remove ", new BackupWorkflowIds("").removal(backup));
    }

    private boolean started(String what, String id) {
      answer();
      if (open.add(id)) {
        told.add(what + id);
        return true;
      }
      return false;
    }

    @Override
    public boolean isOpen(String workflowId) {
      answer();
      return open.contains(workflowId);
    }

    @Override
    public void cancel(String workflowId) {
      answer();
      told.add("cancel " + workflowId);
    }

    private void answer() {
      if (unavailable) {
        throw new TemporalUnavailableException("unavailable", null);
      }
    }
  }

  private static final class FakeBackups implements BackupObjects {
    Backup live;
    int writes;

    @Override
    public Optional<Backup> live(Backup seen) {
      return Optional.of(live);
    }

    @Override
    public void write(Backup now, BackupStatus status) {
      writes++;
      now.setStatus(status);
    }
  }
}
