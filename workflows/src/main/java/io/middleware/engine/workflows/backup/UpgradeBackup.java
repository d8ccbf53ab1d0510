package io.middleware.engine.workflows.backup;

import static io.middleware.engine.workflows.temporal.ActivityPolicy.brief;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.workflows.port.BackupActivities;
import io.middleware.engine.workflows.port.TaskRef;
import io.middleware.engine.workflows.request.BackupRequest;
import io.middleware.engine.workflows.temporal.ChildWorkflows;
import io.middleware.engine.workflows.temporal.ChildWorkflows.Child;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.temporal.api.enums.v1.ParentClosePolicy;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.ChildWorkflowFailure;
import io.temporal.workflow.Workflow;
import java.util.List;
import java.util.Optional;

/**
 * Backs an App up before it is upgraded, unless the change has a good Backup already. The Backup
 * has a run of its own, like all others. It is tried no second time by itself: its steps have been
 * repeated until its own time limit.
 */
public final class UpgradeBackup {
  private final TaskRef task;
  private final String description;

  public UpgradeBackup(TaskRef task, String description) {
    this.task = task;
    this.description = description;
  }

  public void run() {
    var summary = "which Backup %s needs".formatted(task.id());
    var needed =
        Workflow.newLocalActivityStub(BackupActivities.class, brief(summary)).neededBackup(task);
    if (!needed.taken()) {
      take(needed.name());
    }
  }

  private void take(String name) {
    try {
      ChildWorkflows.run(child(name));
    } catch (ChildWorkflowFailure e) {
      if (FailureCauses.isCancel(e)) {
        throw e;
      }
      throw failed(name, FailureCauses.explain(e).message());
    }
  }

  private Child child(String name) {
    var change = task.change();
    var request =
        new BackupRequest(
            change.cluster(),
            change.namespace(),
            change.app(),
            Optional.of(name),
            Optional.of(change.generation()));
    return new Child(
        BackupWorkflow.class,
        task,
        WorkflowIds.backup(change.cluster(), change.namespace(), name),
        "Backup %s: %s".formatted(name, description),
        List.of(request),
        ParentClosePolicy.PARENT_CLOSE_POLICY_REQUEST_CANCEL); // what is copied is to be deleted
  }

  private ApplicationFailure failed(String name, String why) {
    return ApplicationFailure.newNonRetryableFailure(
        "Backup %s failed: %s; nothing was upgraded; see kubectl describe mwbackup -n %s %s; to upgrade without a backup set spec.backup.beforeUpgrade to false"
            .formatted(name, why, task.change().namespace(), name),
        FaultKind.BACKUP_FAILED.label());
  }
}
