package io.middleware.engine.workflows;

import io.middleware.engine.api.task.RollingPolicy;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.TemporalFailure;

/** {@inheritDoc} */
public final class ComponentChangeWorkflowImpl implements ComponentChangeWorkflow {

  @Override
  public void run(TaskRef task, RollingPolicy rolling, Boolean inline) {
    var policy = new GroupPolicy(rolling, Boolean.TRUE.equals(inline), false);
    try {
      new ComponentChange(task, policy, new DegradedOrderReport(task.change())).run();
    } catch (TemporalFailure e) {
      throw FailureCauses.clean(e);
    }
  }
}
