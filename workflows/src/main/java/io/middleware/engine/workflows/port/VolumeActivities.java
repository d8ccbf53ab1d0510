package io.middleware.engine.workflows.port;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** Grows volumes. */
@ActivityInterface
public interface VolumeActivities {

  /**
   * Requests the sizes of the group's desired objects for each of its volume claims that is
   * smaller, and waits until all have them, also volume claims that no pod uses. Begins when the
   * App is not paused. Heartbeats with the volume claim it waits for and its state; ends early when
   * cancelled. A repeat requests nothing twice. Fails with kind SUPERSEDED when another run holds
   * the App's run lock.
   */
  @ActivityMethod
  void growVolumes(GroupRef group);
}
