package io.middleware.engine.workflows.port;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** Shows people how far a change is. */
@ActivityInterface
public interface StatusActivities {

  /**
   * Writes the change's part of the App's status and an event for each new transition. Writes
   * nothing when nothing differs, when the App is past this change, or when its end is reported
   * already; fails with kind SUPERSEDED when another run holds the App's run lock; does nothing
   * when the App of this uid is gone.
   */
  @ActivityMethod
  void report(ChangeProgress progress);
}
