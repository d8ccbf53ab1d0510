package io.middleware.engine.activities.backup;

/**
 * Deletes the Temporal Schedule of an App that is gone. The watcher does that while it serves the
 * App's namespace; a schedule that it has left behind is deleted by its own next run.
 */
@FunctionalInterface
public interface ScheduleDeletion {
  /**
   * Deletes a schedule; it may already be gone.
   *
   * @param id of the schedule
   */
  void delete(String id);
}
