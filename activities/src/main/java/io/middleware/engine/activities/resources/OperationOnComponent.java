package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.objects.ObservedStatefulSet;
import io.middleware.engine.activities.objects.PartOwnership;
import io.middleware.engine.activities.objects.UnfinishedChanges;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.planning.app.NoWayBack;
import io.middleware.engine.planning.operation.OperationTargets;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a task of an Operation writes to its Component. Nothing is kept for a rollback, as there is
 * none; and nothing as unfinished, as the Operation itself shows how far it is.
 */
final class OperationOnComponent {
  private final StepApps apps;
  private final EngineObjects engine;

  OperationOnComponent(StepApps apps, EngineObjects engine) {
    this.apps = apps;
    this.engine = engine;
  }

  /** The groups that the task works on; writes nothing. */
  List<String> begin(TaskRef task) {
    var component = component(task);
    if (task.change().shared()) {
      requireOwn(task, component);
    } else {
      PartOwnership.require(apps.check(task.change()), component);
    }
    var operation = operation(task);
    var groups = OperationTargets.groups(operation, component.getSpec());
    var pods = OperationTargets.pods(operation);
    return pods.isEmpty() ? groups : groupsOf(task, pods).filter(groups::contains).toList();
  }

  /** Without the run lock, which only those need that write. */
  private static void requireOwn(TaskRef task, Component component) {
    if (!PartOwnership.isController(task.change().uid(), component)) {
      throw gone("Component %s of App %s".formatted(task.component(), task.change().app()));
    }
  }

  /** The groups of the pods that the Operation names. */
  private Stream<String> groupsOf(TaskRef task, List<String> pods) {
    return engine.statefulSets(task).stream()
        .filter(
            it ->
                Rollout.podNames(it.set(), Rollout.replicas(it.set())).stream()
                    .anyMatch(pods::contains))
        .map(ObservedStatefulSet::group);
  }

  /** Marks a group before any of its pods is touched, and no group that may never be reached. */
  void begin(GroupRef group) {
    ComponentWrites.retryOnConflict(group.task(), () -> tryBegin(group));
  }

  /**
   * Reads the Component first and checks the fence then: a run that acquires the run lock later
   * also writes the Component later.
   */
  private Optional<GroupRef> tryBegin(GroupRef group) {
    var component = component(group.task());
    var app = apps.check(group.task().change());
    PartOwnership.require(app, component);
    var spec = component.getSpec();
    var begun = OperationTargets.begun(operation(group.task()), spec, group.group());
    var written =
        begun.equals(spec)
            || engine.applyComponent(app, Optional.of(component), begun, annotations(component));
    return written ? Optional.of(group) : Optional.empty();
  }

  /** What an Operation leaves as it is. */
  private static Map<String, String> annotations(Component component) {
    var annotations = new TreeMap<>(UnfinishedChanges.of(component).annotations());
    annotations.putAll(NoWayBack.of(component).annotations());
    return annotations;
  }

  private Component component(TaskRef task) {
    return engine
        .component(task)
        .filter(found -> found.getSpec() != null)
        .orElseThrow(() -> gone("Component " + task.component()));
  }

  private Operation operation(TaskRef task) {
    return engine.operation(task).orElseThrow(() -> gone(task.change().subject()));
  }

  private static ApplicationFailure gone(String what) {
    return Faults.of(
        FaultKind.INVALID, "%s is gone or cannot be read; nothing is written".formatted(what));
  }
}
