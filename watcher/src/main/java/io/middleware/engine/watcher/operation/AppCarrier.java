package io.middleware.engine.watcher.operation;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.watcher.change.ChangeRuns;
import io.middleware.engine.watcher.change.ChangeSignal;
import io.middleware.engine.watcher.change.ControlRequest.CancelChange;
import io.middleware.engine.watcher.change.RequestAnswer.NoRun;
import io.middleware.engine.watcher.request.RequestRuns;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.request.ChangeScope;
import java.util.Optional;

/** The App's workflow, which also carries out its changes: one at a time. */
record AppCarrier(ChangeRuns runs, LeftOpenRuns leftOpen, Optional<App> app)
    implements RequestRuns<Operation> {

  @Override
  public boolean start(Operation operation) {
    var meta = operation.getMetadata();
    var spec = operation.getSpec();
    var pluginAction = spec.action() == OperationAction.PLUGIN ? spec.actionName() : "";
    var started =
        runs.start(
            ChangeSignal.operation(
                app.orElseThrow(),
                new OperationRef(meta.getName(), meta.getUid(), spec.action(), pluginAction)));
    if (!started) {
      app.filter(this::hasLeftItsRunOpen).ifPresent(leftOpen::inTheWay);
    }
    return started;
  }

  /**
   * Whether the open run is that of a change that has succeeded. It may also be the run of this
   * Operation, which has not begun yet; and no change is begun again that failed or was cancelled.
   */
  private boolean hasLeftItsRunOpen(App app) {
    var meta = app.getMetadata();
    return Optional.ofNullable(app.getStatus())
        .map(AppStatus::change)
        .filter(change -> ChangeOutcome.SUCCEEDED.label().equals(change.outcome()))
        .flatMap(
            change ->
                runs.openRun(meta.getNamespace(), meta.getName())
                    .filter(run -> run.id().equals(change.runId())))
        .isPresent();
  }

  @Override
  public boolean isOpen(Operation operation) {
    return runs.openRun(operation.getMetadata().getNamespace(), operation.getSpec().app())
        .filter(run -> run.id().equals(operation.getStatus().runId()))
        .isPresent();
  }

  @Override
  public boolean cancel(Operation operation) {
    var meta = operation.getMetadata();
    var answer =
        runs.request(
            meta.getNamespace(),
            operation.getSpec().app(),
            "cancel/" + meta.getUid(),
            new CancelChange(ChangeScope.ofOperation(meta.getUid())));
    return !(answer instanceof NoRun);
  }
}
