package io.middleware.engine.watcher.change;

import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.workflows.OperationWorkflow;
import io.temporal.client.WorkflowClient;

/** Starts and cancels the runs of {@link OperationWorkflow}, one workflow id per Operation. */
public final class TemporalOperationRuns implements OperationRuns {
  private final WorkflowClient client;
  private final WorkflowRuns runs;
  private final String cluster;

  /**
   * @param cluster its name; may be empty
   */
  public TemporalOperationRuns(TemporalCalls calls, String cluster) {
    this.client = calls.client();
    this.runs = new WorkflowRuns(calls);
    this.cluster = cluster;
  }

  @Override
  public boolean start(ChangeSignal operation) {
    var options = TemporalChangeRuns.options(cluster, operation);
    var run = client.newWorkflowStub(OperationWorkflow.class, options);
    return runs.start(any -> WorkflowClient.start(run::run, operation.request()));
  }

  @Override
  public boolean isOpen(String namespace, String operation) {
    return runs.isOpen(WorkflowIds.operation(cluster, namespace, operation));
  }

  @Override
  public void cancel(String namespace, String operation) {
    runs.cancel(WorkflowIds.operation(cluster, namespace, operation));
  }
}
