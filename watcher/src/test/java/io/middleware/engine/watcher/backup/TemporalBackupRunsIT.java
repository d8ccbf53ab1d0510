package io.middleware.engine.watcher.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.Backup;
import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.watcher.change.SingleRunContract;
import io.middleware.engine.workflows.request.BackupRequest;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TemporalBackupRunsIT extends SingleRunContract {
  private final Backup backup = TestBackups.backup("mine");
  private final TemporalBackupRuns runs;

  TemporalBackupRunsIT(LocalTemporal server) {
    super(server);
    this.runs = new TemporalBackupRuns(temporal.calls, temporal.cluster);
  }

  @Test
  void shouldBeginTheWorkflowOfTheBackup() {
    // When
    start();
    // Then
    var run = temporal.describe(workflowId());
    assertThat(run.getWorkflowType()).isEqualTo("BackupWorkflow");
    assertThat(run.getTaskQueue()).isEqualTo(temporal.cluster + "/engine");
    assertThat(run.getTypedSearchAttributes().get(ChangeSearchAttributes.APP)).isEqualTo("cache");
    assertThat(temporal.input(workflowId(), BackupRequest.class))
        .isEqualTo(new BackupRequest(temporal.cluster, "shop", "cache", Optional.of("mine")));
  }

  @Test
  void shouldRemoveABackupBesideItsRunAndOnce() {
    // Given
    start();
    // When Then
    assertThat(runs.startRemoval(backup)).isTrue();
    assertThat(runs.startRemoval(backup)).isFalse();
    assertThat(temporal.describe(workflowId() + "/removal").getWorkflowType())
        .isEqualTo("BackupRemovalWorkflow");
  }

  @Override
  protected String workflowId() {
    return "backup/shop/mine";
  }

  @Override
  protected boolean start() {
    return runs.start(backup);
  }

  @Override
  protected boolean isOpen() {
    return runs.isOpen(temporal.cluster + "/" + workflowId());
  }

  @Override
  protected void cancel() {
    runs.cancel(temporal.cluster + "/" + workflowId());
  }
}
