package io.middleware.engine.watcher.backup;

import io.middleware.engine.api.Backup;
import io.middleware.engine.watcher.change.TemporalCalls;
import io.middleware.engine.watcher.change.WorkflowRuns;
import io.middleware.engine.workflows.backup.BackupRemovalWorkflow;
import io.middleware.engine.workflows.backup.BackupWorkflow;
import io.middleware.engine.workflows.port.TaskQueues;
import io.middleware.engine.workflows.request.BackupRequest;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.middleware.engine.workflows.temporal.WorkflowPolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import java.util.Optional;

/**
 * Starts and cancels the runs in Temporal. A Backup has one open run at a time; a Backup that is
 * deleted and created again has the same workflow id.
 */
public final class TemporalBackupRuns implements BackupRuns {
  private final TemporalCalls calls;
  private final WorkflowRuns runs;
  private final String cluster;
  private final BackupWorkflowIds ids;

  /**
   * @param cluster its name; may be empty
   */
  public TemporalBackupRuns(TemporalCalls calls, String cluster) {
    this.calls = calls;
    this.runs = new WorkflowRuns(calls);
    this.cluster = cluster;
    this.ids = new BackupWorkflowIds(cluster);
  }

  @Override
  public boolean start(Backup backup) {
    var options = options(ids.of(backup), summary(backup, ""), backup);
    var run = calls.client().newWorkflowStub(BackupWorkflow.class, options);
    return runs.start(client -> WorkflowClient.start(run::run, request(backup)));
  }

  @Override
  public boolean startRemoval(Backup backup) {
    var options = options(ids.removal(backup), summary(backup, ", removal"), backup);
    var run = calls.client().newWorkflowStub(BackupRemovalWorkflow.class, options);
    return runs.start(client -> WorkflowClient.start(run::run, request(backup)));
  }

  @Override
  public boolean isOpen(String workflowId) {
    return runs.isOpen(workflowId);
  }

  @Override
  public void cancel(String workflowId) {
    runs.cancel(workflowId);
  }

  private WorkflowOptions options(String id, String summary, Backup backup) {
    return WorkflowOptions.newBuilder()
        .setWorkflowId(id)
        .setTaskQueue(TaskQueues.engine(cluster))
        .setWorkflowTaskTimeout(WorkflowPolicy.TASK_TIMEOUT)
        .setStaticSummary(summary)
        .setTypedSearchAttributes(
            ChangeSearchAttributes.ofBackup(
                cluster, backup.getMetadata().getNamespace(), backup.getSpec().app()))
        .build();
  }

  private BackupRequest request(Backup backup) {
    var meta = backup.getMetadata();
    return new BackupRequest(
        cluster, meta.getNamespace(), backup.getSpec().app(), Optional.of(meta.getName()));
  }

  private static String summary(Backup backup, String suffix) {
    var meta = backup.getMetadata();
    return "%s/%s Backup %s%s"
        .formatted(meta.getNamespace(), backup.getSpec().app(), meta.getName(), suffix);
  }
}
