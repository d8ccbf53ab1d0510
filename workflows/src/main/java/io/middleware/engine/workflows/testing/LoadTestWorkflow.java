package io.middleware.engine.workflows.testing;

import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/**
 * One run is one load on one target. The id of a LoadTest's run is {@code load/<namespace>/<name>};
 * the load of a step is a child of the IntegrationTest. A cancel of the run ends the load, and
 * deletes its workload.
 */
@WorkflowInterface
public interface LoadTestWorkflow {

  /**
   * Carries out the load.
   *
   * @return what was checked how often, in one line for people; the run fails with a line when the
   *     test has failed
   */
  @WorkflowMethod
  String run(LoadTestRequest request);

  /** Ends the load as if its duration were over: the step during which it runs has ended. */
  @SignalMethod
  void finish();
}
