package io.middleware.engine.activities.backup;

/** The Temporal Schedules by which Apps are backed up. */
public interface BackupSchedules {
  /**
   * Deletes a schedule; it may already be gone.
   *
   * @param id of the schedule
   */
  void delete(String id);
}
