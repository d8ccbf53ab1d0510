package io.middleware.engine.watcher.backup;

import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.workflows.backup.BackupRemovalWorkflow;
import java.util.Optional;

/**
 * The ids of the workflows of Backups. An annotation can be written by anybody who creates Backups,
 * so only an id that the schedule of the Backup's App can have is believed.
 */
record BackupWorkflowIds(String cluster) {

  /** The workflow that takes it, or would. */
  String of(Backup backup) {
    return Optional.ofNullable(backup.getStatus())
        .map(BackupStatus::workflowId)
        .filter(id -> id.equals(own(backup)) || isOfSchedule(backup, id))
        .or(() -> schedule(backup))
        .orElseGet(() -> own(backup));
  }

  /**
   * Whether a run has created it, of the schedule or of a change: no other one is started for it.
   */
  boolean isOfRun(Backup backup) {
    return schedule(backup).isPresent() || backup.beforeUpgrade().isPresent();
  }

  /** The workflow that deletes its copies. */
  String removal(Backup backup) {
    return own(backup) + BackupRemovalWorkflow.SUFFIX;
  }

  private Optional<String> schedule(Backup backup) {
    return backup.scheduledBy().filter(id -> isOfSchedule(backup, id));
  }

  /** Temporal appends the time to the id of the schedule. */
  private boolean isOfSchedule(Backup backup, String id) {
    return backup.getSpec() != null
        && id.startsWith(
            WorkflowIds.backup(cluster, backup.getMetadata().getNamespace(), backup.getSpec().app())
                + "-");
  }

  private String own(Backup backup) {
    var meta = backup.getMetadata();
    return WorkflowIds.backup(cluster, meta.getNamespace(), meta.getName());
  }
}
