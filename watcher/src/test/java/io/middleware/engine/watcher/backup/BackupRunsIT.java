package io.middleware.engine.watcher.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.Backup;
import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.watcher.change.SingleRunContract;
import io.middleware.engine.watcher.request.RequestRuns;
import io.middleware.engine.watcher.request.RequestSubmissions;
import io.middleware.engine.watcher.request.WorkflowRuns;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.middleware.engine.workflows.request.BackupRequest;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BackupRunsIT extends SingleRunContract {
  private final Backup backup = TestBackups.backup("mine");
  private final RequestRuns<Backup> runs;
  private final RequestRuns<Backup> removals;

  BackupRunsIT(LocalTemporal server) {
    super(server);
    var ids = new BackupWorkflowIds(temporal.cluster);
    var submissions = new RequestSubmissions(null, new WorkflowRuns(temporal.calls), null);
    this.runs = submissions.runs(new BackupRuns(ids));
    this.removals = submissions.runs(new BackupRuns.Removals(ids));
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
    assertThat(removals.start(backup)).isTrue();
    assertThat(removals.start(backup)).isFalse();
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
    return runs.isOpen(backup);
  }

  @Override
  protected void cancel() {
    runs.cancel(backup);
  }
}
