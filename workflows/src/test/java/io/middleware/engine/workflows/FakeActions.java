package io.middleware.engine.workflows;

import io.middleware.engine.workflows.port.ActionActivities;
import io.middleware.engine.workflows.port.GroupRef;
import io.temporal.activity.Activity;
import java.util.Optional;

/** Runs actions on the groups of a fake cluster. */
record FakeActions(FakeOperations cluster) implements ActionActivities {
  @Override
  public ActionsRun runAction(GroupRef group) {
    cluster.operate(
        group.change(), "run action %s/%s".formatted(group.task().component(), group.group()));
    return new ActionsRun(Optional.empty());
  }

  @Override
  public ActionsRun runHook(HookRequest request) {
    var info = Activity.getExecutionContext().getInfo();
    cluster.hookSteps.add(info.getWorkflowRunId() + "/" + info.getActivityId());
    cluster.operate(
        request.change(),
        "%s %s on %s"
            .formatted(
                request.hook().point().label(),
                request.hook().action(),
                FakeOperations.path(request.group())));
    return new ActionsRun(Optional.ofNullable(cluster.degradedHook));
  }
}
