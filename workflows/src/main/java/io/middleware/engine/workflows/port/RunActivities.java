package io.middleware.engine.workflows.port;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** Tells Temporal about the run of a change. */
@ActivityInterface
public interface RunActivities {

  /** Requests the cancel of the run that asks for it; does nothing when the run has ended. */
  @ActivityMethod
  void cancelRun(ChangeRef change);
}
