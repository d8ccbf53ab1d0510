package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.objects.PartOwnership;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.OwnerReferences;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The groups of a component that a task creates or removes. */
final class ComponentGroups {
  private final EngineObjects engine;
  private final ClusterView view;

  ComponentGroups(EngineObjects engine, ClusterView view) {
    this.engine = engine;
    this.view = view;
  }

  /** The existing groups of the Component that the spec does not have any more. */
  List<String> removed(TaskRef task, Component component, Optional<ComponentSpec> desired) {
    var names = desired.map(ComponentSpecs::byName).map(Map::keySet).orElse(Set.of());
    var uid = component.getMetadata().getUid();
    return engine.groups(task).stream()
        .filter(group -> PartOwnership.isController(uid, group))
        .map(ComponentGroups::name)
        .filter(Objects::nonNull)
        .filter(name -> !names.contains(name))
        .sorted()
        .toList();
  }

  /**
   * New groups, and those that a deleted Component has left behind. After an interrupted attempt to
   * create or remove groups, also those that it left unfinished; all groups where hooks or checks
   * follow, because it is unknown for which they are due.
   */
  List<String> unfinished(TaskRef task, ComponentSpec spec, boolean interrupted) {
    var existing =
        engine.groups(task).stream().collect(Collectors.toMap(ComponentGroups::name, g -> g));
    return ComponentSpecs.byName(spec).keySet().stream()
        .filter(
            name -> {
              var group = existing.get(name);
              return group == null
                  || OwnerReferences.isLeftBehind(task.change().app(), group)
                  || interrupted && (task.isFollowed() || !isSettled(task, spec, group));
            })
        .toList();
  }

  /** Whether everything was applied and all pods run; in doubt the group is written again. */
  private boolean isSettled(TaskRef task, ComponentSpec spec, Group group) {
    var key = AppKey.of(task.change());
    var selector = Labels.selector(key.app(), task.component(), name(group));
    var sets =
        view.statefulSets(key, task.component()).stream()
            .filter(set -> ClusterView.carries(set, selector))
            .toList();
    return ComponentSpecs.groupSpec(spec, name(group)).equals(group.getSpec())
        && GroupWriter.hasInventory(group)
        && !sets.isEmpty()
        && sets.stream()
            .allMatch(set -> view.missing(key, set, set.getMetadata().getGeneration()).isEmpty())
        && view.deployments(key).stream()
            .filter(one -> ClusterView.isOf(group.getMetadata().getName(), one))
            .allMatch(one -> Rollout.missing(one, one.getMetadata().getGeneration()).isEmpty());
  }

  private static String name(Group group) {
    return group.getSpec() == null
        ? group.getMetadata().getLabels().get(Labels.GROUP)
        : group.getSpec().group();
  }
}
