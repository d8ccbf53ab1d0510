package io.middleware.engine.workflows.testing;

import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/**
 * One run is one round of an IntegrationTest; the next round continues it as new. Its id is {@code
 * test/<namespace>/<name>}. A cancel of the run ends the step in progress, and deletes what the
 * test has created.
 */
@WorkflowInterface
public interface IntegrationTestWorkflow {

  /**
   * Carries out a round.
   *
   * @return what has passed, in one line for people; the run fails with a line when the test has
   *     failed
   */
  @WorkflowMethod
  String run(IntegrationTestRequest request);

  /**
   * The load of a step runs: its manifests may be applied. May be repeated.
   *
   * @param step its name
   */
  @SignalMethod
  void loadBegun(String step);
}
