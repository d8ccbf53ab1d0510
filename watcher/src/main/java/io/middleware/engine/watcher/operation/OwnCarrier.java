package io.middleware.engine.watcher.operation;

import io.middleware.engine.api.App;
import io.middleware.engine.api.Operation;
import io.middleware.engine.watcher.change.ChangeSignal;
import io.middleware.engine.watcher.change.OperationRuns;
import io.middleware.engine.workflows.port.OperationRef;

/** A workflow of the Operation's own, which excludes nothing: any number run at a time. */
record OwnCarrier(OperationRuns runs) implements OperationCarrier {

  @Override
  public boolean start(Operation operation, App app) {
    var meta = operation.getMetadata();
    var spec = operation.getSpec();
    return runs.start(
        ChangeSignal.operation(
            app,
            new OperationRef(
                meta.getName(), meta.getUid(), spec.action(), spec.actionName(), true)));
  }

  @Override
  public boolean isOpen(Operation operation) {
    var meta = operation.getMetadata();
    return runs.isOpen(meta.getNamespace(), meta.getName());
  }

  @Override
  public boolean cancel(Operation operation) {
    var open = isOpen(operation);
    if (open) {
      var meta = operation.getMetadata();
      runs.cancel(meta.getNamespace(), meta.getName());
    }
    return open;
  }
}
