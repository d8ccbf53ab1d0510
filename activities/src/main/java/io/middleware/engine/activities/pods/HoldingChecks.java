package io.middleware.engine.activities.pods;

import io.middleware.engine.workflows.port.TaskRef;

/**
 * The checks that are repeated beside a task, as its own steps see them. The activity that repeats
 * them may have died with its worker. So a step looks for itself before it touches a pod, and after
 * the last one.
 */
@FunctionalInterface
public interface HoldingChecks {
  /** For tasks beside which no checks are repeated. */
  HoldingChecks NONE = (task, meanwhile) -> true;

  /**
   * Whether none of them fails at the first look. Otherwise returns once none does, or when the App
   * is paused: much may have changed meanwhile. What is not known is no failure.
   *
   * @param meanwhile for people: what is not done as long as a check fails
   * @throws io.temporal.failure.ApplicationFailure of kind CHECK_FAILED, which is final, when a
   *     check has not held as often in a row as its threshold says
   */
  boolean hold(TaskRef task, String meanwhile);
}
