package io.middleware.engine.planning;

import io.middleware.engine.api.check.Check;
import io.middleware.engine.api.check.CheckPoint;
import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.TaskChecks;
import io.middleware.engine.api.task.WatchedChecks;
import io.middleware.engine.planning.app.CheckCatalog;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.DesiredApp;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The checks that follow the tasks of a change, and those that are repeated beside them. Those of a
 * component that has no pods then have none: it is to be stopped, or is started only later in the
 * change.
 */
record PlannedChecks(DesiredApp desiredApp, List<DeployedComponent> deployed) {
  /** The tasks that leave pods whatever was there before. */
  private static final Set<ChangeType> HAVE_PODS =
      EnumSet.of(ChangeType.START, ChangeType.PROVISION);

  /** The same plan, with the checks that follow its tasks and those beside them. */
  ChangePlan into(ChangePlan plan) {
    return plan.edited(task -> checks(task).map(task::checkedBy).orElse(task))
        .withBackground(background(plan));
  }

  /** Nothing can be said of what has never been deployed completely, or is stopped. */
  private List<WatchedChecks> background(ChangePlan plan) {
    return deployed.stream()
        .filter(it -> it.everFinished() && !it.spec().isStopped())
        .map(DeployedComponent::component)
        .filter(component -> isToRun(component))
        .flatMap(component -> background(plan, component).stream())
        .toList();
  }

  private Optional<WatchedChecks> background(ChangePlan plan, String component) {
    var types =
        plan.tasks().stream()
            .filter(task -> task.component().equals(component))
            .map(task -> task.type().label())
            .toList();
    var names =
        catalog().of(component).stream()
            .filter(Check::isInBackground)
            .filter(check -> types.stream().anyMatch(check::belongsTo))
            .map(Check::name)
            .toList();
    return names.isEmpty() ? Optional.empty() : Optional.of(new WatchedChecks(component, names));
  }

  private boolean isToRun(String component) {
    return Optional.ofNullable(desiredApp.components().get(component))
        .filter(it -> !it.isStopped())
        .isPresent();
  }

  private CheckCatalog catalog() {
    return new CheckCatalog(desiredApp.plugin(), desiredApp.spec());
  }

  private Optional<TaskChecks> checks(ChangeTask task) {
    return Optional.of(task.component())
        .filter(component -> isToRun(component) && !isStartedLater(task))
        .map(catalog()::of)
        .map(all -> all.stream().filter(check -> check.belongsTo(task.type().label())).toList())
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
    return checks.stream().filter(check -> check.isAfter(point)).map(Check::name).toList();
  }
}
