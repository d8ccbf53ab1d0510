package io.middleware.engine.workflows.testing;

import io.middleware.engine.workflows.temporal.FailureCauses;
import io.middleware.engine.workflows.testing.port.LoadRef;
import io.middleware.engine.workflows.testing.port.TestRef;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Workflow;

/** {@inheritDoc} */
public final class LoadTestWorkflowImpl implements LoadTestWorkflow {
  private final StepEnd stepEnd = new StepEnd();

  @Override
  public String run(LoadTestRequest request) {
    try {
      return new LoadTestRun(load(request), stepEnd).run();
    } catch (TemporalFailure e) {
      throw FailureCauses.clean(e);
    }
  }

  @Override
  public void finish() {
    stepEnd.finish();
  }

  /** A run that was reset goes on with the objects of the run before. */
  private static LoadRef load(LoadTestRequest request) {
    var info = Workflow.getInfo();
    var uid = request.uid().orElse("");
    var test =
        new TestRef(
            request.cluster(),
            request.namespace(),
            request.name(),
            uid,
            info.getWorkflowId(),
            info.getRunId());
    var creator = uid.isEmpty() ? info.getOriginalExecutionRunId() : uid;
    return new LoadRef(test, creator, request.step());
  }
}
