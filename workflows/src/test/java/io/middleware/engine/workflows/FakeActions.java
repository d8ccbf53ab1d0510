package io.middleware.engine.workflows;

import io.middleware.engine.workflows.port.ActionActivities;
import io.middleware.engine.workflows.port.GroupRef;
import java.util.Optional;

/** Runs actions on the groups of a fake cluster. */
record FakeActions(FakeOperations cluster) implements ActionActivities {
  @Override
  public ActionsRun runAction(GroupRef group) {
    cluster.operate(
        group.change(), "run action %s/%s".formatted(group.task().component(), group.group()));
    return new ActionsRun(Optional.empty());
  }
}
