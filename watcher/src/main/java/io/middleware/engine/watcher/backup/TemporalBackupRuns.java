package io.middleware.engine.watcher.backup;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.api.Backup;
import io.middleware.engine.watcher.change.TemporalCalls;
import io.middleware.engine.workflows.AppChangeWorkflow;
import io.middleware.engine.workflows.BackupRemovalWorkflow;
import io.middleware.engine.workflows.BackupWorkflow;
import io.middleware.engine.workflows.ChangeSearchAttributes;
import io.middleware.engine.workflows.port.TaskQueues;
import io.middleware.engine.workflows.request.BackupRequest;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowServiceException;
import java.util.Optional;

/**
 * Starts and cancels the runs in Temporal. A Backup has one open run at a time; a Backup that is
 * deleted and created again has the same workflow id.
 */
public final class TemporalBackupRuns implements BackupRuns {
  private final TemporalCalls calls;
  private final String cluster;
  private final BackupWorkflowIds ids;

  /**
   * @param cluster its name; may be empty
   */
  public TemporalBackupRuns(TemporalCalls calls, String cluster) {
    this.calls = calls;
    this.cluster = cluster;
    this.ids = new BackupWorkflowIds(cluster);
  }

  @Override
  public boolean start(Backup backup) {
    var options = options(ids.of(backup), summary(backup, ""), backup);
    var run = calls.client().newWorkflowStub(BackupWorkflow.class, options);
    return started(() -> WorkflowClient.start(run::run, request(backup)));
  }

  @Override
  public boolean startRemoval(Backup backup) {
    var options = options(ids.removal(backup), summary(backup, ", removal"), backup);
    var run = calls.client().newWorkflowStub(BackupRemovalWorkflow.class, options);
    return started(() -> WorkflowClient.start(run::run, request(backup)));
  }

  private boolean started(Runnable start) {
    return calls.withinTimeout(
        () -> {
          try {
            start.run();
            return true;
          } catch (WorkflowExecutionAlreadyStarted e) {
            return false;
          }
        });
  }

  @Override
  public boolean isOpen(String workflowId) {
    var workflow = calls.client().newUntypedWorkflowStub(workflowId);
    return calls.withinTimeout(
        () -> {
          try {
            return workflow.describe().getStatus()
                == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
          } catch (WorkflowNotFoundException e) {
            return false;
          }
        });
  }

  @Override
  public void cancel(String workflowId) {
    var workflow = calls.client().newUntypedWorkflowStub(workflowId);
    calls.withinTimeout(
        () -> {
          try {
            workflow.cancel();
          } catch (WorkflowNotFoundException e) {
            return false; // it has ended meanwhile
          } catch (WorkflowServiceException e) {
            if (!isRequestedAlready(e)) {
              throw e;
            }
          }
          return true;
        });
  }

  private static boolean isRequestedAlready(WorkflowServiceException refusal) {
    return refusal.getCause() instanceof StatusRuntimeException cause
        && cause.getStatus().getCode() == Status.Code.ALREADY_EXISTS;
  }

  private WorkflowOptions options(String id, String summary, Backup backup) {
    return WorkflowOptions.newBuilder()
        .setWorkflowId(id)
        .setTaskQueue(TaskQueues.engine(cluster))
        .setWorkflowTaskTimeout(AppChangeWorkflow.WORKFLOW_TASK_TIMEOUT)
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
