package io.middleware.engine.workflows.testing;

import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;

/**
 * A load whose name says how it goes: {@code good} runs until it is to finish, {@code late} never
 * begins, {@code broken} fails before it begins, {@code failing} soon after, {@code short} ends by
 * itself.
 */
public final class FakeLoad implements LoadTestWorkflow {
  private boolean finished;

  @Override
  public String run(LoadTestRequest request) {
    if (request.name().equals("broken")) {
      throw failure("no such target");
    }
    if (!request.name().equals("late")) {
      begun(request);
    }
    if (request.name().equals("failing")) {
      Workflow.sleep(Duration.ofMillis(200));
      throw failure("the Job of the workload failed with exit code 3");
    }
    if (!request.name().equals("short")) {
      Workflow.await(() -> finished);
    }
    return "12 checks passed";
  }

  private static void begun(LoadTestRequest request) {
    var parent = Workflow.getInfo().getParentWorkflowId().orElseThrow();
    var step = request.step().orElseThrow();
    Workflow.newExternalWorkflowStub(IntegrationTestWorkflow.class, parent)
        .loadBegun(step.substring(step.indexOf('/') + 1));
  }

  private static ApplicationFailure failure(String why) {
    return ApplicationFailure.newNonRetryableFailure(why, "WorkloadFailed");
  }

  @Override
  public void finish() {
    finished = true;
  }
}
