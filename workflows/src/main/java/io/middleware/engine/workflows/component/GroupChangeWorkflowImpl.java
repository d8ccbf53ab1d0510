package io.middleware.engine.workflows.component;

import io.middleware.engine.api.task.RollingPolicy;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.temporal.failure.TemporalFailure;

/** {@inheritDoc} */
public final class GroupChangeWorkflowImpl implements GroupChangeWorkflow {

  @Override
  public void run(GroupRef group, RollingPolicy rolling) {
    var policy = new GroupPolicy(rolling, false, false);
    try {
      new GroupChange(group, policy, new DegradedOrderReport(group.change())).run();
    } catch (TemporalFailure e) {
      throw FailureCauses.clean(e);
    }
  }
}
