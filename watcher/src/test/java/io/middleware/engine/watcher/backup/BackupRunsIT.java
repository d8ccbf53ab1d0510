package io.middleware.engine.watcher.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.watcher.request.RequestRunsContract;
import io.middleware.engine.watcher.request.TemporalRequestRuns;
import io.middleware.engine.workflows.request.BackupRequest;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BackupRunsIT extends RequestRunsContract<Backup> {
  private final TemporalRequestRuns<Backup> removals =
      new TemporalRequestRuns<>(
          temporal.calls, new BackupRuns.Removals(new BackupWorkflowIds(temporal.cluster)));

  BackupRunsIT(LocalTemporal server) {
    super(
        server,
        cluster -> new BackupRuns(new BackupWorkflowIds(cluster)),
        SampleBackups.backup("mine"),
        "backup/shop/mine");
  }

  @Test
  void shouldBeginTheWorkflowOfTheBackup() {
    // When
    var run = started();
    // Then
    assertThat(run.getWorkflowType()).isEqualTo("BackupWorkflow");
    assertThat(run.getTaskQueue()).isEqualTo(temporal.cluster + "/engine");
    assertThat(run.getTypedSearchAttributes().get(ChangeSearchAttributes.APP)).isEqualTo("cache");
    assertThat(input(BackupRequest.class))
        .isEqualTo(new BackupRequest(temporal.cluster, "shop", "cache", Optional.of("mine")));
  }

  @Test
  void shouldRemoveABackupBesideItsRunAndOnce() {
    // Given
    started();
    // When Then
    assertThat(removals.start(request)).isTrue();
    assertThat(removals.start(request)).isFalse();
    assertThat(temporal.describe("backup/shop/mine/removal").getWorkflowType())
        .isEqualTo("BackupRemovalWorkflow");
  }
}
