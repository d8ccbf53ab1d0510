package io.middleware.engine.activities.resources;

import static java.util.stream.Collectors.toMap;

import io.middleware.engine.activities.kubernetes.AppKey;
import io.middleware.engine.activities.kubernetes.ClusterView;
import io.middleware.engine.activities.kubernetes.NaturalOrder;
import io.middleware.engine.activities.kubernetes.Plugins;
import io.middleware.engine.activities.kubernetes.Snapshots;
import io.middleware.engine.activities.plan.ComponentSpecs;
import io.middleware.engine.activities.plan.GroupReloads;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.workflows.port.PodActivities.TaskState;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** How far a task, or its rollback, has come on the pods of its component. */
public final class TaskPodProgress {
  private final EngineObjects engine;
  private final Plugins plugins;
  private final Snapshots snapshots;
  private final ClusterView view;

  /**
   * @param view started
   */
  public TaskPodProgress(
      EngineObjects engine, Plugins plugins, Snapshots snapshots, ClusterView view) {
    this.engine = engine;
    this.plugins = plugins;
    this.snapshots = snapshots;
    this.view = view;
  }

  /**
   * A pod of a group that the task has not come to is as it was, whatever its group says. Pods of
   * which nobody can say it are not named.
   */
  public TaskState of(TaskRef task) {
    var groups = reached(task);
    var key = AppKey.of(task.change());
    List<String> current = new ArrayList<>();
    List<String> outdated = new ArrayList<>();
    for (var set : view.statefulSets(key, task.component())) {
      var reach = Optional.ofNullable(groups.get(set.getMetadata().getLabels().get(Labels.GROUP)));
      for (var pod : view.podsOf(key, set)) {
        if (reach.filter(group -> group.isCurrent(set, pod)).isPresent()) {
          current.add(pod.name());
        } else if (reach.filter(group -> group.isUnknown(set, pod)).isEmpty()) {
          outdated.add(pod.name());
        }
      }
    }
    current.sort(NaturalOrder.OF_NAMES);
    outdated.sort(NaturalOrder.OF_NAMES);
    return new TaskState(current, outdated, !task.rollback() && isSettled(task));
  }

  private boolean isSettled(TaskRef task) {
    return engine
        .component(task)
        .filter(it -> desired(task).filter(wanted -> isSettled(task, it, wanted)).isPresent())
        .isPresent();
  }

  /** No mark and no record is left, and the Component says what the task was to bring. */
  static boolean isSettled(TaskRef task, Component component, ComponentSpec wanted) {
    var spec = component.getSpec();
    return spec != null
        && UnfinishedChanges.of(component).types().isEmpty()
        && Undo.of(task, component).isEmpty()
        && ComponentSpecs.carry(spec, wanted, task.type()).equals(spec);
  }

  private Optional<ComponentSpec> desired(TaskRef task) {
    return view.app(AppKey.of(task.change()))
        .filter(app -> task.change().uid().equals(app.getMetadata().getUid()))
        .map(app -> snapshots.of(task.change(), app))
        .flatMap(app -> ComponentTransaction.desired(app, task));
  }

  /** By name, the groups that say what the task, or its rollback, brings. */
  private Map<String, GroupPodProgress> reached(TaskRef task) {
    return engine
        .component(task)
        .filter(component -> component.getSpec() != null && hasBegun(task, component))
        .map(component -> reached(task, component))
        .orElseGet(Map::of);
  }

  private Map<String, GroupPodProgress> reached(TaskRef task, Component component) {
    var undo = Undo.of(task, component);
    return engine.groups(task).stream()
        .map(Group::getSpec)
        .filter(Objects::nonNull)
        .filter(group -> isReached(task, component, group))
        .collect(toMap(GroupSpec::group, group -> reach(task, undo, group)));
  }

  private GroupPodProgress reach(TaskRef task, Optional<Undo> undo, GroupSpec group) {
    return new GroupPodProgress(
        undo.flatMap(kept -> kept.workload(group.group())),
        task.rollback(),
        undo.filter(kept -> reloads(task, kept, group)).isPresent());
  }

  private boolean reloads(TaskRef task, Undo undo, GroupSpec group) {
    return GroupReloads.bringsValues(task.type())
        && GroupReloads.areWanted(
            plugins.read(group.plugin()).getSpec(),
            group,
            undo.groupSpec(group.group()),
            undo.unfinished());
  }

  /** A rollback that has taken its record away has brought all back. */
  static boolean isReached(TaskRef task, Component component, GroupSpec group) {
    if (task.rollback()) {
      var undo = Undo.of(task, component);
      return undo.isEmpty()
          || undo.get().groupSpec(group.group()).filter(group::equals).isPresent();
    }
    var spec = component.getSpec();
    return ComponentSpecs.byName(spec).containsKey(group.group())
        && group.equals(ComponentSpecs.groupSpec(spec, group.group()));
  }

  private static boolean hasBegun(TaskRef task, Component component) {
    return task.rollback()
        || (task.type().isReversible()
            ? Undo.of(task, component).isPresent()
            : UnfinishedChanges.of(component).has(task.type()));
  }
}
