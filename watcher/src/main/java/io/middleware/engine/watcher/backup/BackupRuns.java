package io.middleware.engine.watcher.backup;

import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.watcher.request.RequestWorkflow;
import io.middleware.engine.workflows.backup.BackupRemovalWorkflow;
import io.middleware.engine.workflows.backup.BackupWorkflow;
import io.middleware.engine.workflows.port.TaskQueues;
import io.middleware.engine.workflows.request.BackupRequest;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import java.util.Optional;

/** The workflow that takes a Backup. */
record BackupRuns(BackupWorkflowIds ids) implements RequestWorkflow<Backup> {

  /** The workflow that deletes the copies of a Backup that is being deleted. */
  record Removals(BackupWorkflowIds ids) implements RequestWorkflow<Backup> {

    @Override
    public String id(Backup backup) {
      return ids.removal(backup);
    }

    @Override
    public void start(WorkflowClient client, Backup backup) {
      var options = options(ids.cluster(), id(backup), backup, ", removal");
      var run = client.newWorkflowStub(BackupRemovalWorkflow.class, options);
      WorkflowClient.start(run::run, request(ids.cluster(), backup));
    }
  }

  @Override
  public String id(Backup backup) {
    return ids.of(backup);
  }

  @Override
  public void start(WorkflowClient client, Backup backup) {
    var options = options(ids.cluster(), id(backup), backup, "");
    var run = client.newWorkflowStub(BackupWorkflow.class, options);
    WorkflowClient.start(run::run, request(ids.cluster(), backup));
  }

  private static WorkflowOptions options(String cluster, String id, Backup backup, String suffix) {
    var meta = backup.getMetadata();
    var app = backup.getSpec().app();
    return RequestWorkflow.options(
        id,
        meta.getNamespace(),
        TaskQueues.engine(cluster),
        "%s/%s Backup %s%s".formatted(meta.getNamespace(), app, meta.getName(), suffix),
        ChangeSearchAttributes.ofBackup(cluster, meta.getNamespace(), app));
  }

  private static BackupRequest request(String cluster, Backup backup) {
    var meta = backup.getMetadata();
    return new BackupRequest(
        cluster, meta.getNamespace(), backup.getSpec().app(), Optional.of(meta.getName()));
  }
}
