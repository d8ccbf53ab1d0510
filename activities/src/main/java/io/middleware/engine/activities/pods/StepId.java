package io.middleware.engine.activities.pods;

import io.temporal.activity.ActivityExecutionContext;

/** By which an agent knows an action that it is asked for again. */
public final class StepId {
  private StepId() {}

  /** The same when the activity is retried; another one in another attempt of the task. */
  public static String of(ActivityExecutionContext context) {
    var info = context.getInfo();
    return "%s/%s".formatted(info.getWorkflowRunId(), info.getActivityId());
  }
}
