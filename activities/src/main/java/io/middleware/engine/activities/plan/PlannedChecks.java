package io.middleware.engine.activities.plan;

import io.middleware.engine.api.Check;
import io.middleware.engine.api.CheckPoint;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.TaskChecks;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The checks that follow the tasks of a change. Those of a component that has no pods then have
 * none: it is to be stopped, or is started only later in the change.
 */
record PlannedChecks(DesiredApp desiredApp, List<DeployedComponent> deployed) {
  /** The tasks that leave pods whatever was there before. */
  private static final Set<ChangeType> HAVE_PODS =
      EnumSet.of(ChangeType.START, ChangeType.PROVISION);

  /** The same plan, whose tasks are followed by their checks. */
  ChangePlan into(ChangePlan plan) {
    return plan.edited(task -> checks(task).map(task::checkedBy).orElse(task));
  }

  private Optional<TaskChecks> checks(ChangeTask task) {
    return Optional.ofNullable(desiredApp.components().get(task.component()))
        .filter(component -> !component.isStopped() && !isStartedLater(task))
        .map(ComponentSpec::component)
        .map(new CheckCatalog(desiredApp.plugin(), desiredApp.spec())::of)
        .map(all -> all.stream().filter(check -> check.follows(task.type().label())).toList())
        .flatMap(
            checks ->
                TaskChecks.of(names(checks, CheckPoint.GROUP), names(checks, CheckPoint.TASK)));
  }

  private boolean isStartedLater(ChangeTask task) {
    return !HAVE_PODS.contains(task.type())
        && deployed.stream()
            .filter(it -> it.spec().isStopped())
            .anyMatch(it -> it.component().equals(task.component()));
  }

  private static List<String> names(List<Check> checks, CheckPoint point) {
    return checks.stream().filter(check -> check.point() == point).map(Check::name).toList();
  }
}
