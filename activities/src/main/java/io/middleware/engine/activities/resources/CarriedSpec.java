package io.middleware.engine.activities.resources;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.render.sensitive.SensitiveMarks;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.Optional;

/** The spec that a task gives its Component. */
final class CarriedSpec {
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
