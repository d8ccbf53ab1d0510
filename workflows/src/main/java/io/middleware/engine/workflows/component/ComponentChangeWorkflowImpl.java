package io.middleware.engine.workflows.component;

import static java.util.Objects.requireNonNullElse;

import io.middleware.engine.api.task.RollingPolicy;
import io.middleware.engine.api.task.TaskHooks;
import io.middleware.engine.workflows.port.TaskRef;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.temporal.failure.TemporalFailure;

/** {@inheritDoc} */
public final class ComponentChangeWorkflowImpl implements ComponentChangeWorkflow {

  @Override
  public void run(TaskRef task, RollingPolicy rolling, Boolean inline, TaskHooks hooks) {
    var policy = new GroupPolicy(rolling, Boolean.TRUE.equals(inline), false);
    try {
      var own = requireNonNullElse(hooks, TaskHooks.NONE);
      new ComponentChange(task, policy, own, new DegradedOrderReport(task.change())).run();
    } catch (TemporalFailure e) {
      throw FailureCauses.clean(e);
    }
  }
}
