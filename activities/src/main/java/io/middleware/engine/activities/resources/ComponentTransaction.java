package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.objects.ObservedStatefulSet;
import io.middleware.engine.activities.objects.PartOwnership;
import io.middleware.engine.activities.objects.Undo;
import io.middleware.engine.activities.objects.UnfinishedChanges;
import io.middleware.engine.activities.secrets.ComponentValues;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.OwnerReferences;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.NoWayBack;
import io.middleware.engine.planning.app.PlannedReloads;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Optional;

/**
 * Begins and ends a task on its Component, or the rollback of a task. One write both begins a task
 * and keeps what its rollback needs, so neither can exist without the other.
 */
final class ComponentTransaction {
  private final StepApps apps;
  private final EngineObjects engine;
  private final ComponentGroups groups;
  private final HotValues hotValues;
  private final WayBack wayBack;
  private final ComponentValues values;

  ComponentTransaction(
      StepApps apps,
      EngineObjects engine,
      HotValues hotValues,
      WayBack wayBack,
      ComponentValues values) {
    this.values = values;
    this.hotValues = hotValues;
    this.wayBack = wayBack;
    this.apps = apps;
    this.engine = engine;
    this.groups = new ComponentGroups(engine, apps.view());
  }

  /**
   * Writes what the task changes, and its type as unfinished.
   *
   * @return the groups that the task works on
   */
  List<String> begin(TaskRef task) {
    return ComponentWrites.retryOnConflict(
        task, () -> task.rollback() ? tryBeginRollback(task) : tryBegin(task));
  }

  /** Removes the unfinished type; deletes a Component that the App does not have any more. */
  void end(TaskRef task) {
    ComponentWrites.retryOnConflict(
        task,
        () -> {
          var ended = task.rollback() ? tryEndRollback(task) : tryEnd(task);
          return ended ? Optional.of(task) : Optional.empty();
        });
  }

  /**
   * Its pods have their data, so that an empty one is never filled from the backup again.
   *
   * @return whether nothing is to be filled from a backup any more
   */
  boolean forgetBackup(TaskRef task) {
    return ComponentWrites.retryOnConflict(task, () -> tryForgetBackup(task));
  }

  private Optional<Boolean> tryForgetBackup(TaskRef task) {
    var current = engine.component(task).filter(component -> isOurs(task, component));
    var app = app(task);
    var spec = current.map(Component::getSpec);
    if (spec.isEmpty() || spec.get().isStopped()) {
      return Optional.of(false);
    }
    if (spec.get().restoreFrom() == null) {
      return Optional.of(true);
    }
    var marks = ComponentMarks.of(task, current).with(Undo.of(task, current.get()));
    return engine.applyComponent(app, current, spec.get().restoredFrom(null), marks.annotations())
        ? Optional.of(true)
        : Optional.empty();
  }

  private App app(TaskRef task) {
    return apps.withSpec(task.change(), apps.check(task.change()));
  }

  /**
   * Reads the Component first and checks the fence then: a run that acquires the run lock later
   * also writes the Component later.
   */
  private Optional<List<String>> tryBegin(TaskRef task) {
    var isRemoval = task.type() == ChangeType.REMOVE;
    var found = engine.component(task);
    var current = found.filter(component -> !isRemoval || mayRemove(task, component));
    var app = app(task);
    current.ifPresent(component -> PartOwnership.require(app, component));
    var desired = bringsValues(task) ? withValues(app, task) : CarriedSpec.desired(app, task);
    if (isRemoval && current.isEmpty()) {
      return Optional.of(List.of());
    }
    if (isRemoval && (app.isDeletedByForce() || current.get().getSpec() == null)) {
      return Optional.of(
          groups.removed(task, current.get(), desired)); // write nothing that may be refused
    }
    var spec = CarriedSpec.of(task, current.map(Component::getSpec), desired);
    var marks = ComponentMarks.of(task, current);
    if (marks.ended().has(task) && spec.equals(current.map(Component::getSpec).orElse(null))) {
      return Optional.of(List.copyOf(ComponentSpecs.byName(spec).keySet()));
    }
    var before = marks.unfinished();
    var begun = begun(task, current, spec, marks);
    if (!engine.applyComponent(app, current, spec, begun.annotations())) {
      return Optional.empty();
    }
    return Optional.of(
        switch (task.type()) {
          case REMOVE -> groups.removed(task, current.get(), desired);
          case PROVISION ->
              groups.unfinished(
                  task, spec, before.has(ChangeType.PROVISION) || before.has(ChangeType.REMOVE));
          default -> List.copyOf(ComponentSpecs.byName(spec).keySet());
        });
  }

  private static boolean bringsValues(TaskRef task) {
    return task.type() == ChangeType.PROVISION || PlannedReloads.bringsValues(task.type());
  }

  private Optional<ComponentSpec> withValues(App app, TaskRef task) {
    return CarriedSpec.template(app, task).map(component -> values.of(app, task, component));
  }

  private ComponentMarks begun(
      TaskRef task, Optional<Component> current, ComponentSpec spec, ComponentMarks marks) {
    var undo = undo(task, current);
    var keepsHotValues =
        !PlannedReloads.bringsValues(task.type())
            || undo.filter(kept -> !kept.edited().isEmpty()).isEmpty()
                && hotValues.areEqual(task, current.map(Component::getSpec), spec);
    var changes = marks.unfinished().begun(task.type(), keepsHotValues);
    var isFirst = current.isEmpty() && task.type() == ChangeType.PROVISION;
    var noWayBack = current.map(was -> wayBack.atBegin(task, was, marks.unfinished(), undo));
    return marks
        .with(isFirst ? changes.ofNewComponent() : changes)
        .with(undo)
        .with(noWayBack.orElse(NoWayBack.NONE));
  }

  /**
   * Restores the spec. The annotations stay until all groups are restored, as a crash must find
   * them again. Only the groups that the task has changed are rolled back: an earlier change may
   * have left others in a different state.
   */
  private Optional<List<String>> tryBeginRollback(TaskRef task) {
    var current = engine.component(task).filter(component -> isOurs(task, component));
    var app = app(task);
    var undo = current.flatMap(component -> Undo.of(task, component));
    if (undo.isEmpty()) {
      return Optional.of(List.of());
    }
    var sets = engine.statefulSets(task);
    wayBack.require(task, current.get(), undo.get(), sets);
    undo.get().requireReversible(sets);
    var back = undo.get().back(engine.groups(task));
    var marks = ComponentMarks.of(task, current).with(Optional.of(back));
    return engine.applyComponent(app, current, back.requireSpec(), marks.annotations())
        ? Optional.of(List.copyOf(back.changed()))
        : Optional.empty();
  }

  /** Restores everything to the state before the task, which remains to be done. */
  private boolean tryEndRollback(TaskRef task) {
    var current = engine.component(task).filter(component -> isOurs(task, component));
    var app = app(task);
    var undo = current.flatMap(component -> Undo.of(task, component));
    return undo.isEmpty()
        || engine.applyComponent(
            app,
            current,
            undo.get().requireSpec(),
            ComponentMarks.of(task, current)
                .with(new UnfinishedChanges(undo.get().unfinished()))
                .annotations());
  }

  /**
   * A repeat keeps what the first attempt found. An irreversible task keeps nothing. What a deleted
   * App has kept counts for nothing, as its tasks may have had the same ids.
   */
  private Optional<Undo> undo(TaskRef task, Optional<Component> current) {
    return current
        .filter(component -> task.type().isReversible() && component.getSpec() != null)
        .map(
            component ->
                Undo.of(task, component)
                    .filter(kept -> isOurs(task, component))
                    .orElseGet(
                        () ->
                            Undo.before(
                                task,
                                component,
                                engine.groups(task),
                                ObservedStatefulSet.in(apps.view(), task))));
  }

  private boolean tryEnd(TaskRef task) {
    var isRemoval = task.type() == ChangeType.REMOVE;
    var current =
        engine.component(task).filter(it -> isRemoval ? mayRemove(task, it) : isOurs(task, it));
    var app = app(task);
    if (current.isEmpty()) {
      requireRemoved(task);
      return true;
    }
    var component = current.get();
    if (isRemoval && CarriedSpec.desired(app, task).isEmpty()) {
      return engine.deleteOnto(component);
    }
    var marks = ComponentMarks.of(task, current);
    if (!marks.unfinished().has(task.type())) {
      return true;
    }
    if (component.getSpec() != null) {
      return engine.applyComponent(
          app, current, component.getSpec(), marks.without(task).annotations());
    }
    if (isRemoval) {
      return true;
    }
    throw Faults.of(
        FaultKind.INVALID,
        "the spec of Component %s cannot be read".formatted(component.getMetadata().getName()));
  }

  /** A Component that somebody has deleted takes its Groups and their pods with it. */
  private static void requireRemoved(TaskRef task) {
    if (task.type() != ChangeType.REMOVE) {
      throw Faults.of(
          FaultKind.CONFLICT,
          "Component %s was deleted while task %s was working on it: it is created again when the task is retried"
              .formatted(Labels.componentName(task.change().app(), task.component()), task.id()));
    }
  }

  private static boolean mayRemove(TaskRef task, Component component) {
    return isOurs(task, component) || OwnerReferences.isLeftBehind(task.change().app(), component);
  }

  private static boolean isOurs(TaskRef task, Component component) {
    return PartOwnership.isController(task.change().uid(), component);
  }
}
