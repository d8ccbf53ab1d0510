package io.middleware.engine.watcher.backup;

import io.middleware.engine.api.Backup;
import io.middleware.engine.watcher.change.TemporalUnavailableException;

/**
 * The workflow runs that take backups and delete their copies. All methods throw {@link
 * TemporalUnavailableException} when Temporal does not answer.
 */
public interface BackupRuns {

  /**
   * Starts the run of a Backup that a person created, unless one is open.
   *
   * @return whether a run was started
   */
  boolean start(Backup backup);

  /** Whether the workflow has an open run. */
  boolean isOpen(String workflowId);

  /** Asks the open run of the workflow to stop. It takes a while to do so; a repeat is harmless. */
  void cancel(String workflowId);

  /**
   * Starts a run that deletes the copies of a Backup that is being deleted, unless one is open.
   *
   * @return whether a run was started
   */
  boolean startRemoval(Backup backup);
}
