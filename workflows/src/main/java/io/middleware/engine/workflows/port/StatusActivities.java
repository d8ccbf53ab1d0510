package io.middleware.engine.workflows.port;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** Shows people how a change stands. */
@ActivityInterface
public interface StatusActivities {

  /**
   * Writes the change's part of the App's status and an event for each transition that is new.
   * Writes nothing when nothing differs; fails with kind SUPERSEDED when another run has claimed
   * the App; does nothing when the App of this uid is gone.
   */
  @ActivityMethod
  void report(ChangeProgress progress);
}
