package io.middleware.engine.workflows.port;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** Grows volumes. */
@ActivityInterface
public interface VolumeActivities {

  /**
   * Asks for the sizes that the group's objects are to have, for each of its claims that is
   * smaller, and waits until all have them; those that no pod uses among them. Begins when the App
   * is not paused. Heartbeats which claim it waits for and how that is; ends early when cancelled.
   * A repeat asks for nothing twice. Fails with kind SUPERSEDED when another run has claimed the
   * App.
   */
  @ActivityMethod
  void growVolumes(GroupRef group);
}
