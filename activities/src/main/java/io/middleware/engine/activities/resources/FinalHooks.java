package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.objects.Undo;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.TaskHook;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.planning.app.NoWayBack;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Writes to the Component that a final hook begins, before it begins. This write and the one that
 * begins a rollback exclude each other: whichever comes second finds the other one and refuses.
 */
public final class FinalHooks {
  private final StepApps apps;
  private final EngineObjects engine;

  public FinalHooks(StepApps apps, EngineObjects engine) {
    this.apps = apps;
    this.engine = engine;
  }

  /**
   * May be repeated.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind CONFLICT when the task has ended, or is
   *     being rolled back
   */
  public void begin(TaskRef task, TaskHook hook) {
    ComponentWrites.retryOnConflict(task, () -> tryBegin(task, hook));
  }

  private Optional<TaskRef> tryBegin(TaskRef task, TaskHook hook) {
    var current = engine.component(task);
    var app = apps.withSpec(task.change(), apps.check(task.change()));
    var undo = current.flatMap(component -> Undo.of(task, component));
    var spec = current.map(Component::getSpec);
    var desired = CarriedSpec.desired(app, task);
    if (spec.isEmpty()
        || undo.filter(before -> before.changed().isEmpty()).isEmpty()
        || !spec.get().equals(CarriedSpec.of(task, spec, desired))) {
      throw Faults.of(
          FaultKind.CONFLICT,
          "hook %s does not begin: task %s has ended, or is being rolled back"
              .formatted(hook.point().label(), task.id()));
    }
    var kept = NoWayBack.of(current.get());
    var begun = begun(task, hook, kept, spec.get(), undo.get());
    var marks = ComponentMarks.of(task, current).with(undo).with(begun);
    return begun.equals(kept)
            || engine.applyComponent(app, current, spec.get(), marks.annotations())
        ? Optional.of(task)
        : Optional.empty();
  }

  private static NoWayBack begun(
      TaskRef task, TaskHook hook, NoWayBack kept, ComponentSpec now, Undo undo) {
    var why =
        "hook %s (action %s) has begun, which is final"
            .formatted(hook.point().label(), hook.action());
    var begun = kept.begun(task.id(), task.type(), why);
    if (task.type() != ChangeType.VERSION_UPGRADE) {
      return begun;
    }
    var behind = new TreeSet<>(WayBack.origins(Optional.of(undo), kept.origins()));
    behind.remove(NoWayBack.name(now.runtime()));
    behind.remove(NoWayBack.name(now.plugin()));
    return begun.without(behind, why);
  }
}
