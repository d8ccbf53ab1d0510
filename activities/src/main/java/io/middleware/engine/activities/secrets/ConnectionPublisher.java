package io.middleware.engine.activities.secrets;

import io.middleware.engine.workflows.port.TaskRef;
import java.util.Set;

/** Writes the Secrets by which clients connect. */
public interface ConnectionPublisher {
  /**
   * Writes those of all groups of these components. May be repeated.
   *
   * @throws io.temporal.failure.ApplicationFailure when a Secret of such a name belongs to others
   */
  void publish(TaskRef task, Set<String> components, PublishedValues values);
}
