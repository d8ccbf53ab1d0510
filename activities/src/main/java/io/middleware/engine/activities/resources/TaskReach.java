package io.middleware.engine.activities.resources;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.kubernetes.AppKey;
import io.middleware.engine.activities.kubernetes.ClusterView;
import io.middleware.engine.activities.kubernetes.NaturalOrder;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.activities.kubernetes.Rollout;
import io.middleware.engine.activities.plan.ComponentSpecs;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.workflows.port.PodActivities.Standing;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** How far a task, or its rollback, has come on the pods of its component. */
public final class TaskReach {
  private final EngineObjects engine;
  private final ClusterView view;

  /**
   * @param client with the engine's own rights
   * @param view started
   */
  public TaskReach(KubernetesClient client, ClusterView view) {
    this.engine = new EngineObjects(client);
    this.view = view;
  }

  /** A pod of a group that the task has not come to is as it was, whatever its group says. */
  public Standing of(TaskRef task) {
    var groups = reached(task);
    var key = AppKey.of(task.change());
    List<String> current = new ArrayList<>();
    List<String> outdated = new ArrayList<>();
    for (var set : view.statefulSets(key, task.component())) {
      var pods = view.podsOf(key, set);
      var isReached = groups.contains(set.getMetadata().getLabels().get(Labels.GROUP));
      var fresh = isReached ? current(set, pods) : List.<PodState>of();
      pods.forEach(pod -> (fresh.contains(pod) ? current : outdated).add(pod.name()));
    }
    current.sort(NaturalOrder.OF_NAMES);
    outdated.sort(NaturalOrder.OF_NAMES);
    return new Standing(current, outdated);
  }

  /** Those made from what was applied, and not too many. */
  private static List<PodState> current(StatefulSet set, List<PodState> pods) {
    var outdated = Rollout.outdated(set, pods);
    return pods.stream()
        .filter(pod -> !outdated.contains(pod) && !Rollout.isSurplus(set, pod))
        .toList();
  }

  /** The groups that say what the task, or its rollback, brings. */
  private Set<String> reached(TaskRef task) {
    return engine
        .component(task)
        .filter(component -> component.getSpec() != null && hasBegun(task, component))
        .map(
            component ->
                engine.groups(task).stream()
                    .map(Group::getSpec)
                    .filter(Objects::nonNull)
                    .filter(group -> isReached(task, component, group))
                    .map(GroupSpec::group)
                    .collect(Collectors.toSet()))
        .orElseGet(Set::of);
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
            : Unfinished.of(component).has(task.type()));
  }
}
