package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.kubernetes.AppKey;
import io.middleware.engine.activities.kubernetes.ClusterView;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.Rollout;
import io.middleware.engine.activities.kubernetes.RunLockFence;
import io.middleware.engine.activities.kubernetes.Snapshots;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Begins and ends a task on its Component, or the rollback of a task. One write both begins a task
 * and keeps what its rollback needs, so neither can exist without the other.
 */
final class ComponentTransaction {
  private static final int TRIES = 8;

  private final RunLockFence fence;
  private final EngineObjects engine;
  private final Snapshots snapshots;
  private final ClusterView view;

  ComponentTransaction(
      RunLockFence fence, EngineObjects engine, Snapshots snapshots, ClusterView view) {
    this.fence = fence;
    this.engine = engine;
    this.snapshots = snapshots;
    this.view = view;
  }

  /**
   * Writes what the task changes, and its type as unfinished.
   *
   * @return the groups that the task works on
   */
  List<String> begin(TaskRef task) {
    return retryOnConflict(
        task,
        () -> task.rollback() ? tryBeginRollback(app(task), task) : tryBegin(app(task), task));
  }

  /** Removes the unfinished type; deletes a Component that the App does not have any more. */
  void end(TaskRef task) {
    retryOnConflict(
        task,
        () -> {
          var app = app(task);
          var ended = task.rollback() ? tryEndRollback(app, task) : tryEnd(app, task);
          return ended ? Optional.of(task) : Optional.empty();
        });
  }

  /** On a write conflict, reads again and re-checks the fence before the next attempt. */
  private static <T> T retryOnConflict(TaskRef task, Supplier<Optional<T>> attempt) {
    for (int i = 0; i < TRIES; i++) {
      var written = attempt.get();
      if (written.isPresent()) {
        return written.get();
      }
    }
    throw Faults.of(
        FaultKind.CONFLICT,
        "Component %s is changing too often to be written; retrying".formatted(task.component()));
  }

  private App app(TaskRef task) {
    return snapshots.of(task.change(), fence.check(task.change()));
  }

  private Optional<List<String>> tryBegin(App app, TaskRef task) {
    var current = engine.component(task);
    var desired = desired(app, task);
    if (task.type() == ChangeType.REMOVE && current.isEmpty()) {
      return Optional.of(List.of());
    }
    if (task.type() == ChangeType.REMOVE && (app.isDeletedByForce() || isUnreadable(current))) {
      return Optional.of(removedGroups(task, desired)); // write nothing that may be refused
    }
    var before = current.map(UnfinishedChanges::of).orElseGet(UnfinishedChanges::none);
    var spec =
        ComponentSpecs.carry(
            current.map(Component::getSpec).orElse(null), desired.orElse(null), task.type());
    if (spec == null) {
      throw Faults.of(
          FaultKind.INVALID,
          "component %s is neither in the App's spec nor deployed".formatted(task.component()));
    }
    if (!applied(app, current, spec, annotations(before.with(task.type()), undo(task, current)))) {
      return Optional.empty();
    }
    return Optional.of(
        switch (task.type()) {
          case REMOVE -> removedGroups(task, desired);
          case PROVISION ->
              unfinishedGroups(
                  task, spec, before.has(ChangeType.PROVISION) || before.has(ChangeType.REMOVE));
          default -> List.copyOf(ComponentSpecs.byName(spec).keySet());
        });
  }

  /**
   * Restores the spec. The annotations stay until all groups are restored, as a crash must find
   * them again. Only the groups that the task has changed are rolled back: an earlier change may
   * have left others in a different state.
   */
  private Optional<List<String>> tryBeginRollback(App app, TaskRef task) {
    var current = engine.component(task);
    var undo = current.flatMap(component -> Undo.of(task, component));
    if (undo.isEmpty()) {
      return Optional.of(List.of());
    }
    var back = undo.get().back(engine.groups(task));
    var annotations = annotations(UnfinishedChanges.of(current.get()), Optional.of(back));
    return applied(app, current, back.requireSpec(), annotations)
        ? Optional.of(List.copyOf(back.changed()))
        : Optional.empty();
  }

  /** Restores everything to the state before the task, which remains to be done. */
  private boolean tryEndRollback(App app, TaskRef task) {
    var current = engine.component(task);
    var undo = current.flatMap(component -> Undo.of(task, component));
    return undo.isEmpty()
        || applied(
            app,
            current,
            undo.get().requireSpec(),
            annotations(new UnfinishedChanges(undo.get().unfinished()), Optional.empty()));
  }

  /** A repeat keeps what the first attempt found. An irreversible task keeps nothing. */
  private Optional<Undo> undo(TaskRef task, Optional<Component> current) {
    return current
        .filter(component -> task.type().isReversible() && component.getSpec() != null)
        .map(
            component ->
                Undo.of(task, component)
                    .orElseGet(
                        () ->
                            Undo.before(
                                task,
                                component,
                                engine.groups(task),
                                view.statefulSets(AppKey.of(task.change()), task.component()))));
  }

  private static Map<String, String> annotations(
      UnfinishedChanges unfinished, Optional<Undo> undo) {
    var annotations = new TreeMap<>(unfinished.annotations());
    undo.ifPresent(kept -> annotations.putAll(kept.annotations()));
    return annotations;
  }

  private boolean tryEnd(App app, TaskRef task) {
    var current = engine.component(task);
    if (current.isEmpty()) {
      return true;
    }
    var component = current.get();
    if (task.type() == ChangeType.REMOVE && desired(app, task).isEmpty()) {
      engine.delete(component);
      return true;
    }
    var unfinished = UnfinishedChanges.of(component);
    if (!unfinished.has(task.type())) {
      return true;
    }
    if (component.getSpec() != null) {
      return applied(
          app, current, component.getSpec(), unfinished.without(task.type()).annotations());
    }
    if (task.type() == ChangeType.REMOVE) {
      return true;
    }
    throw Faults.of(
        FaultKind.INVALID,
        "the spec of Component %s cannot be read".formatted(component.getMetadata().getName()));
  }

  /** The spec that the change wants for the component; empty when it is to be removed. */
  static Optional<ComponentSpec> desired(App app, TaskRef task) {
    if (app.getMetadata().getDeletionTimestamp() != null && task.type() == ChangeType.REMOVE) {
      return Optional.empty();
    }
    var spec = app.getSpec();
    return spec.components().stream()
        .filter(component -> task.component().equals(component.name()))
        .findFirst()
        .map(component -> ComponentSpecs.desired(app.getMetadata().getName(), spec, component));
  }

  private boolean applied(
      App app, Optional<Component> current, ComponentSpec spec, Map<String, String> annotations) {
    var labels = new TreeMap<String, String>();
    labels.put(Labels.APP, spec.app());
    labels.put(Labels.COMPONENT, spec.component());
    labels.put(Labels.PLUGIN, Labels.pluginName(spec.plugin().name(), spec.plugin().version()));
    var component = new Component();
    component.setMetadata(
        EngineObjects.owned(app, Labels.componentName(spec.app(), spec.component()), labels));
    component.getMetadata().setAnnotations(annotations);
    // the write was made from this version only
    current.ifPresent(
        seen ->
            component.getMetadata().setResourceVersion(seen.getMetadata().getResourceVersion()));
    component.setSpec(spec);
    return engine.applyOnto(component, app.forcesConflicts());
  }

  private List<String> removedGroups(TaskRef task, Optional<ComponentSpec> desired) {
    var names = desired.map(ComponentSpecs::byName).map(Map::keySet).orElse(Set.of());
    return engine.groups(task).stream()
        .map(ComponentTransaction::name)
        .filter(Objects::nonNull)
        .filter(name -> !names.contains(name))
        .sorted()
        .toList();
  }

  /**
   * New groups. After an interrupted attempt to create or remove groups, also those that it left
   * unfinished.
   */
  private List<String> unfinishedGroups(TaskRef task, ComponentSpec spec, boolean interrupted) {
    var existing =
        engine.groups(task).stream().collect(Collectors.toMap(ComponentTransaction::name, g -> g));
    return ComponentSpecs.byName(spec).keySet().stream()
        .filter(
            name -> {
              var group = existing.get(name);
              return group == null || interrupted && !isSettled(task, spec, group);
            })
        .toList();
  }

  /** Whether everything was applied and all pods run; in doubt the group is written again. */
  private boolean isSettled(TaskRef task, ComponentSpec spec, Group group) {
    var key = AppKey.of(task.change());
    var selector = Labels.selector(key.app(), task.component(), name(group));
    var sets =
        view.statefulSets(key).stream().filter(set -> ClusterView.carries(set, selector)).toList();
    return ComponentSpecs.groupSpec(spec, name(group)).equals(group.getSpec())
        && GroupWriter.hasInventory(group)
        && !sets.isEmpty()
        && sets.stream()
            .allMatch(
                set ->
                    Rollout.missing(set, view.podsOf(key, set), set.getMetadata().getGeneration())
                        .isEmpty())
        && view.deployments(key).stream()
            .filter(one -> ClusterView.carries(one, selector))
            .allMatch(one -> Rollout.missing(one, one.getMetadata().getGeneration()).isEmpty());
  }

  private static boolean isUnreadable(Optional<Component> component) {
    return component.map(Component::getSpec).isEmpty();
  }

  private static String name(Group group) {
    return group.getSpec() == null
        ? group.getMetadata().getLabels().get(Labels.GROUP)
        : group.getSpec().group();
  }
}
