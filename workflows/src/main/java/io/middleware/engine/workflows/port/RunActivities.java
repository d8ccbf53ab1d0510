package io.middleware.engine.workflows.port;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** Tells Temporal about the run of a change, and asks about others. */
@ActivityInterface
public interface RunActivities {

  /** Requests the cancel of the run that asks for it; does nothing when the run has ended. */
  @ActivityMethod
  void cancelRun(ChangeRef change);

  /** Whether this run has ended, or Temporal does not know it. */
  @ActivityMethod
  boolean isOver(RunQuestion question);

  /** About a run below the one of this change. */
  record RunQuestion(ChangeRef change, String workflowId, String runId) implements ChangeStep {}
}
