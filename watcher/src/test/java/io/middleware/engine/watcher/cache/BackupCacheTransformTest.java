package io.middleware.engine.watcher.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.watcher.backup.SampleBackups;
import org.junit.jupiter.api.Test;

class BackupCacheTransformTest {
  private static final String BEGAN = "2026-11-25T03:00:01Z";

  @Test
  void shouldKeepHowFarItIsAndWhetherItHasCopies() {
    // Given
    var backup =
        SampleBackups.ended(SampleBackups.scheduled("cache-1"), BackupStatus.SUCCEEDED, BEGAN);
    backup.setStatus(backup.getStatus().saying("x".repeat(10_000)));
    // When
    BackupCacheTransform.reduce(backup);
    // Then
    assertThat(backup.hasSucceeded()).isTrue();
    assertThat(backup.hasEnded()).isTrue();
    assertThat(backup.scheduledBy()).contains(SampleBackups.SCHEDULED_RUN);
    assertThat(backup.getStatus().workflowId()).isEqualTo(SampleBackups.SCHEDULED_RUN);
    assertThat(backup.getStatus().startedAt()).isEqualTo(BEGAN);
    assertThat(backup.getStatus().message()).hasSize(600);
    assertThat(backup.getStatus().copies())
        .singleElement()
        .satisfies(copy -> assertThat(copy.key()).isNull());
  }

  @Test
  void shouldTellItsAppOnlyOfAnotherPhase() {
    var failed = SampleBackups.ended(SampleBackups.backup("mine"), BackupStatus.FAILED, BEGAN);
    var talking = SampleBackups.ended(SampleBackups.backup("mine"), BackupStatus.FAILED, BEGAN);
    talking.setStatus(talking.getStatus().saying("other"));
    assertThat(BackupCacheTransform.differs(talking, failed)).isFalse();
    assertThat(BackupCacheTransform.differs(failed, SampleBackups.backup("mine"))).isTrue();
  }
}
