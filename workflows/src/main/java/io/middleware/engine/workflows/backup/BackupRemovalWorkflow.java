package io.middleware.engine.workflows.backup;

import io.middleware.engine.workflows.request.BackupRequest;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Deletes the copies of a Backup that is being deleted; the id is the Backup's with a suffix. */
@WorkflowInterface
public interface BackupRemovalWorkflow {
  /** Suffix of the ids. */
  String SUFFIX = "/removal";

  /** Deletes the copies, then lets the Backup go. */
  @WorkflowMethod
  void run(BackupRequest request);
}
