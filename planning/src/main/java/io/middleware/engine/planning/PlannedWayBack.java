package io.middleware.engine.planning;

import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.DesiredApp;
import java.util.List;

/** Says of each upgrade from which step on it cannot be rolled back. */
record PlannedWayBack(DesiredApp desiredApp, List<DeployedComponent> deployed) {

  ChangePlan into(ChangePlan plan) {
    return plan.edited(task -> task.type() == ChangeType.VERSION_UPGRADE ? described(task) : task);
  }

  private ChangeTask described(ChangeTask task) {
    var to = desiredApp.spec().runtime();
    return deployed.stream()
        .filter(was -> was.component().equals(task.component()))
        .map(was -> was.spec().runtime())
        .filter(from -> desiredApp.catalog().noWayBackTo(to).contains(from))
        .findFirst()
        .map(
            from -> task.describedAs(TaskDescriptions.withoutWayBack(task.description(), from, to)))
        .orElse(task);
  }
}
