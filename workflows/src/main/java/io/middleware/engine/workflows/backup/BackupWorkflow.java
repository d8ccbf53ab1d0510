package io.middleware.engine.workflows.backup;

import io.middleware.engine.workflows.request.BackupRequest;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/**
 * One run is one backup of one App. Runs of the App's Temporal Schedule have the id {@code
 * backup/<namespace>/<app>-<time>}, one that a person or a change asked for {@code
 * backup/<namespace>/<name>}. A cancel of the run stops the agents, and deletes what was copied.
 */
@WorkflowInterface
public interface BackupWorkflow {

  /**
   * Takes the backup.
   *
   * @return what was backed up, in one line for people; the run fails with a line when there is no
   *     good backup
   */
  @WorkflowMethod
  String run(BackupRequest request);
}
