package io.middleware.engine.workflows.port;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** Decides what a change consists of. */
@ActivityInterface
public interface PlanningActivities {

  /**
   * Acquires the App's run lock for the calling run, keeps the generation's exact spec as a
   * snapshot, validates it and compares it with the Components that exist. Plans the newest
   * generation when the App has been edited since. Repeatable: the same generation against the same
   * cluster gives the same plan.
   *
   * @throws io.temporal.failure.ApplicationFailure retryable, when the API server does not answer
   */
  @ActivityMethod
  PlanAnswer plan(PlanRequest request);
}
