package io.middleware.engine.watcher.operation;

import io.middleware.engine.api.App;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.watcher.change.ChangeSignal;
import io.middleware.engine.watcher.change.TemporalChangeRuns;
import io.middleware.engine.watcher.request.RequestWorkflow;
import io.middleware.engine.workflows.OperationWorkflow;
import io.middleware.engine.workflows.port.OperationRef;
import io.temporal.client.WorkflowClient;
import java.util.Optional;

/**
 * A workflow of the Operation's own, which excludes nothing: any number run at a time.
 *
 * @param cluster its name; may be empty
 * @param app that the run is started for
 */
public record OperationRuns(String cluster, Optional<App> app)
    implements RequestWorkflow<Operation> {

  @Override
  public String id(Operation operation) {
    var meta = operation.getMetadata();
    return WorkflowIds.operation(cluster, meta.getNamespace(), meta.getName());
  }

  @Override
  public void start(WorkflowClient client, Operation operation) {
    var meta = operation.getMetadata();
    var spec = operation.getSpec();
    var signal =
        ChangeSignal.operation(
            app.orElseThrow(),
            new OperationRef(
                meta.getName(), meta.getUid(), spec.action(), spec.actionName(), true));
    var options = TemporalChangeRuns.options(cluster, signal);
    var run = client.newWorkflowStub(OperationWorkflow.class, options);
    WorkflowClient.start(run::run, signal.request());
  }
}
