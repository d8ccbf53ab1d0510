package io.middleware.engine.watcher.testing;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.watcher.change.TemporalCalls;
import io.middleware.engine.watcher.change.WorkflowRuns;
import io.middleware.engine.workflows.port.TaskQueues;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.middleware.engine.workflows.temporal.WorkflowPolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;

/**
 * The runs of one kind in Temporal. A test that is deleted and created again has the same workflow
 * id.
 */
final class TemporalRuns<T extends HasMetadata> implements TestRuns<T> {
  private final WorkflowClient client;
  private final WorkflowRuns runs;
  private final String cluster;
  private final TestWorkflow<T> workflow;

  /** The workflow that carries out the tests of a kind. */
  interface TestWorkflow<T> {

    String id(String namespace, String name);

    /** Starts a run with these options; Temporal refuses when one is open. */
    void start(WorkflowClient client, WorkflowOptions options, T test);
  }

  /**
   * @param cluster its name; may be empty
   */
  TemporalRuns(TemporalCalls calls, String cluster, TestWorkflow<T> workflow) {
    this.client = calls.client();
    this.runs = new WorkflowRuns(calls);
    this.cluster = cluster;
    this.workflow = workflow;
  }

  @Override
  public boolean start(T test) {
    var meta = test.getMetadata();
    var options =
        WorkflowOptions.newBuilder()
            .setWorkflowId(id(test))
            .setTaskQueue(TaskQueues.tests(cluster))
            .setWorkflowTaskTimeout(WorkflowPolicy.TASK_TIMEOUT)
            .setStaticSummary(
                "%s %s/%s".formatted(test.getKind(), meta.getNamespace(), meta.getName()))
            .setTypedSearchAttributes(
                ChangeSearchAttributes.ofTest(cluster, meta.getNamespace(), test.getKind()))
            .build();
    return runs.start(() -> workflow.start(client, options, test));
  }

  @Override
  public boolean isOpen(T test) {
    return runs.isOpen(id(test));
  }

  @Override
  public void cancel(T test) {
    runs.cancel(id(test));
  }

  private String id(T test) {
    return workflow.id(test.getMetadata().getNamespace(), test.getMetadata().getName());
  }
}
