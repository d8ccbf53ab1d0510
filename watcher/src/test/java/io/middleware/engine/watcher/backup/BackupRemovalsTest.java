package io.middleware.engine.watcher.backup;

import static io.middleware.engine.watcher.backup.SampleBackups.backup;
import static io.middleware.engine.watcher.backup.SampleBackups.deleted;
import static io.middleware.engine.watcher.backup.SampleBackups.ended;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.watcher.FakeClock;
import io.middleware.engine.watcher.request.FakeRequestRuns;
import io.middleware.engine.watcher.request.FakeRequests;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class BackupRemovalsTest {
  private final FakeRequestRuns<Backup> runs = new FakeRequestRuns<>();
  private final FakeRequests<Backup> objects =
      new FakeRequests<>(
          deleted(ended(backup("mine"), BackupStatus.SUCCEEDED, "2026-11-25T03:00:01Z")));
  private final FakeClock clock = new FakeClock();
  private final BackupRemovals removals = new BackupRemovals(runs, objects, clock);

  @Test
  void shouldTryARemovalAgainNowAndThen() {
    // Given
    assertThat(removals.of(objects.live)).isPresent();
    // When
    clock.pass(Duration.ofSeconds(20));
    var next = removals.of(objects.live);
    // Then
    assertThat(next).contains(Duration.ofSeconds(40));
    assertThat(runs.told).containsExactly("start");
    // and when it has failed
    runs.open = false;
    clock.pass(Duration.ofSeconds(40));
    removals.of(objects.live);
    assertThat(runs.told).hasSize(2);
  }

  @Test
  void shouldTryAgainWithGrowingPauses() {
    var pauses = new ArrayList<Long>();
    for (var attempt = 0; attempt < 8; attempt++) {
      var pause = removals.of(objects.live).orElseThrow();
      pauses.add(pause.toMinutes());
      runs.open = false; // it has failed
      clock.pass(pause);
    }
    assertThat(pauses).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
  }

  /** What the watcher has seen may be older than the copies. */
  @Test
  void shouldReleaseWhatHasNoCopies() {
    // Given
    var seen = objects.live;
    objects.live = deleted(backup("mine"));
    // When Then
    assertThat(removals.of(seen)).isEmpty();
    assertThat(runs.told).isEmpty();
  }

  @Test
  void shouldNotReleaseWhileTemporalDoesNotAnswer() {
    // Given
    runs.unavailable = true;
    // When Then
    assertThat(removals.of(objects.live)).contains(Duration.ofSeconds(2));
  }

  @Test
  void shouldLeaveOneWhoseSpecCannotBeReadToANewerEngine() {
    // Given
    objects.live.setSpec(null);
    // When Then
    assertThat(removals.of(objects.live)).contains(Duration.ofMinutes(1));
    assertThat(runs.told).isEmpty();
  }
}
