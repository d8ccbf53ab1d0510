package io.middleware.engine.watcher.schedule;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.watcher.temporal.TemporalUnavailableException;
import java.util.List;

/**
 * The Temporal Schedules of the cluster's Apps, one each. All methods throw {@link
 * TemporalUnavailableException} when Temporal does not answer.
 */
public interface BackupSchedules {

  /** The Apps that have a schedule. */
  List<ResourceID> apps();

  /**
   * Makes the schedule, or changes it. A pause by an operator stays.
   *
   * @return whether it was made or changed
   */
  boolean apply(BackupSchedule schedule);

  /** Deletes the App's schedule; does nothing if it has none. */
  void delete(ResourceID app);
}
