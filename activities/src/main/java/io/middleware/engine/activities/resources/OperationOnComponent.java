package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.Operations;
import io.middleware.engine.activities.kubernetes.RunLockFence;
import io.middleware.engine.activities.plan.OperationTargets;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Optional;

/**
 * Begins a task of an Operation on its Component. Nothing is kept for a rollback, as there is none;
 * and nothing as unfinished, as the Operation itself shows how far it is.
 */
final class OperationOnComponent {
  private final RunLockFence fence;
  private final EngineObjects engine;
  private final Operations operations;

  OperationOnComponent(RunLockFence fence, EngineObjects engine, Operations operations) {
    this.fence = fence;
    this.engine = engine;
    this.operations = operations;
  }

  /**
   * Writes to the Component what the task changes.
   *
   * @return the groups that the task works on
   */
  List<String> begin(TaskRef task) {
    return ComponentTransaction.retryOnConflict(task, () -> tryBegin(task));
  }

  /**
   * Reads the Component first and checks the fence then: a run that acquires the run lock later
   * also writes the Component later.
   */
  private Optional<List<String>> tryBegin(TaskRef task) {
    var current =
        engine
            .component(task)
            .filter(component -> component.getSpec() != null)
            .orElseThrow(() -> gone("Component " + task.component(), "cannot be read"));
    var app = fence.check(task.change());
    PartOwnership.require(app, current);
    var operation =
        operations
            .find(task.change())
            .orElseThrow(() -> gone(task.change().subject(), "was removed while it ran"));
    var spec = current.getSpec();
    var begun = OperationTargets.begun(operation, spec);
    var written =
        begun.equals(spec)
            || engine.applyComponent(
                app, Optional.of(current), begun, UnfinishedChanges.of(current).annotations());
    return written ? Optional.of(OperationTargets.groups(operation, spec)) : Optional.empty();
  }

  private static RuntimeException gone(String what, String how) {
    return Faults.of(
        FaultKind.INVALID, "%s does not exist, or %s; nothing is written".formatted(what, how));
  }
}
