package io.middleware.engine.activities.resources;

import io.middleware.engine.api.App;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.ComponentTemplate;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.render.sensitive.SensitiveMarks;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.Optional;

/** The spec that a task gives its Component, and the one that its change wants in the end. */
public final class CarriedSpec {
  private CarriedSpec() {}

  /**
   * The deployed spec with what the task changes.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when the component is neither
   *     deployed nor wanted; of kind SUPERSEDED when a later edit has replaced a sensitive value
   */
  static ComponentSpec of(
      TaskRef task, Optional<ComponentSpec> deployed, Optional<ComponentSpec> desired) {
    var spec = ComponentSpecs.carry(deployed.orElse(null), desired.orElse(null), task.type());
    if (spec == null) {
      throw Faults.of(
          FaultKind.INVALID,
          "component %s is neither in the App's spec nor deployed".formatted(task.component()));
    }
    requireValues(task, spec);
    return spec;
  }

  /** The spec that the change wants for the component; empty when it is to be removed. */
  public static Optional<ComponentSpec> desired(App app, TaskRef task) {
    if (app.getMetadata().getDeletionTimestamp() != null && task.type() == ChangeType.REMOVE) {
      return Optional.empty();
    }
    return template(app, task)
        .map(
            component ->
                ComponentSpecs.desired(app.getMetadata().getName(), app.specToDeploy(), component));
  }

  static Optional<ComponentTemplate> template(App app, TaskRef task) {
    return app.specToDeploy().components().stream()
        .filter(component -> task.component().equals(component.name()))
        .findFirst();
  }

  /** A sensitive value that was edited before a task has written it is not known any more. */
  private static void requireValues(TaskRef task, ComponentSpec spec) {
    var isMissing =
        ComponentSpecs.byName(spec).keySet().stream()
            .map(group -> ComponentSpecs.groupSpec(spec, group).values())
            .anyMatch(SensitiveMarks::areIn);
    if (isMissing) {
      throw Faults.of(
          FaultKind.SUPERSEDED,
          "a sensitive value of component %s was edited before this task has written it; the change of that edit follows"
              .formatted(task.component()));
    }
  }
}
