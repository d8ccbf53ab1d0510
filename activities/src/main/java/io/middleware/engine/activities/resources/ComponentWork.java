package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.kubernetes.AppKey;
import io.middleware.engine.activities.kubernetes.ClusterView;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.Rollout;
import io.middleware.engine.activities.plan.ComponentSpecs;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Begins and ends a task on its Component. */
final class ComponentWork {
  private final EngineObjects engine;
  private final Snapshots snapshots;
  private final ClusterView view;

  ComponentWork(EngineObjects engine, Snapshots snapshots, ClusterView view) {
    this.engine = engine;
    this.snapshots = snapshots;
    this.view = view;
  }

  /** Writes what the task carries over, marks its type, and says which groups it is about. */
  List<String> open(App app, TaskRef task) {
    var current = engine.component(task);
    var desired = desired(app, task);
    if (task.type() == ChangeType.REMOVE && current.isEmpty()) {
      return List.of();
    }
    var before = current.map(Unfinished::of).orElseGet(Unfinished::none);
    var spec =
        ComponentSpecs.carry(
            current.map(Component::getSpec).orElse(null), desired.orElse(null), task.type());
    if (spec == null) {
      throw Faults.of(
          FaultKind.INVALID,
          "component %s is neither wanted nor deployed".formatted(task.component()));
    }
    write(app, current, spec, before.with(task.type()));
    return switch (task.type()) {
      case REMOVE -> dropped(task, desired);
      case PROVISION -> unsettled(task, spec, before.has(ChangeType.PROVISION));
      default -> List.copyOf(ComponentSpecs.byName(spec).keySet());
    };
  }

  /** Takes the mark away; a component that is not wanted any more goes. */
  void settle(App app, TaskRef task) {
    var current = engine.component(task);
    if (current.isEmpty()) {
      return;
    }
    var component = current.get();
    if (task.type() == ChangeType.REMOVE && desired(app, task).isEmpty()) {
      engine.delete(component);
      return;
    }
    var unfinished = Unfinished.of(component);
    if (unfinished.has(task.type())) {
      write(app, current, component.getSpec(), unfinished.without(task.type()));
    }
  }

  /** What the change wants the component to be; empty when it is to go. */
  private Optional<ComponentSpec> desired(App app, TaskRef task) {
    if (app.getMetadata().getDeletionTimestamp() != null && task.type() == ChangeType.REMOVE) {
      return Optional.empty();
    }
    var spec = snapshots.spec(app, task.change().generation());
    return spec.components().stream()
        .filter(component -> task.component().equals(component.name()))
        .findFirst()
        .map(component -> ComponentSpecs.desired(app.getMetadata().getName(), spec, component));
  }

  private void write(
      App app, Optional<Component> current, ComponentSpec spec, Unfinished unfinished) {
    var labels = new TreeMap<String, String>();
    labels.put(Labels.APP, spec.app());
    labels.put(Labels.COMPONENT, spec.component());
    labels.put(Labels.PLUGIN, Labels.pluginName(spec.plugin().name(), spec.plugin().version()));
    var component = new Component();
    component.setMetadata(
        EngineObjects.owned(app, Labels.componentName(spec.app(), spec.component()), labels));
    component.getMetadata().setAnnotations(unfinished.annotations());
    // what is written was made from this version and from no other
    current.ifPresent(
        seen ->
            component.getMetadata().setResourceVersion(seen.getMetadata().getResourceVersion()));
    component.setSpec(spec);
    engine.apply(component, ObjectWriter.isForced(app));
  }

  private List<String> dropped(TaskRef task, Optional<ComponentSpec> desired) {
    var wanted = desired.map(ComponentSpecs::byName).map(Map::keySet).orElse(Set.of());
    return engine.groups(task).stream()
        .map(ComponentWork::name)
        .filter(name -> !wanted.contains(name))
        .sorted()
        .toList();
  }

  /** New groups; when an earlier attempt got stuck, also those that it left half-way. */
  private List<String> unsettled(TaskRef task, ComponentSpec spec, boolean begunBefore) {
    var existing =
        engine.groups(task).stream().collect(Collectors.toMap(ComponentWork::name, g -> g));
    return ComponentSpecs.byName(spec).keySet().stream()
        .filter(
            name -> {
              var group = existing.get(name);
              return group == null || begunBefore && !isSettled(task, group);
            })
        .toList();
  }

  /** Whether all was applied and all its pods run; in doubt it is done again. */
  private boolean isSettled(TaskRef task, Group group) {
    var key = AppKey.of(task.change());
    var selector = Labels.selector(key.app(), task.component(), name(group));
    var sets =
        view.statefulSets(key).stream().filter(set -> ClusterView.carries(set, selector)).toList();
    return GroupWriter.isKept(group)
        && !sets.isEmpty()
        && sets.stream()
            .allMatch(
                set ->
                    Rollout.missing(set, view.podsOf(key, set), set.getMetadata().getGeneration())
                        .isEmpty());
  }

  private static String name(Group group) {
    return group.getSpec().group();
  }
}
