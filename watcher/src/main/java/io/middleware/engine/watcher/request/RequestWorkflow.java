package io.middleware.engine.watcher.request;

import io.middleware.engine.workflows.temporal.TaskPriority;
import io.middleware.engine.workflows.temporal.WorkflowPolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.SearchAttributes;

/** The workflow that carries out one request, and nothing else. */
public interface RequestWorkflow<T> {

  /** Its id. A request that is deleted and created again has the same. */
  String id(T request);

  /** Starts a run; Temporal refuses when one is open. */
  void start(WorkflowClient client, T request);

  /**
   * What a run is started with.
   *
   * @param namespace of the request
   */
  static WorkflowOptions options(
      String id, String namespace, String queue, String summary, SearchAttributes attributes) {
    return WorkflowOptions.newBuilder()
        .setWorkflowId(id)
        .setTaskQueue(queue)
        .setWorkflowTaskTimeout(WorkflowPolicy.TASK_TIMEOUT)
        .setStaticSummary(summary)
        .setPriority(TaskPriority.of(namespace))
        .setTypedSearchAttributes(attributes)
        .build();
  }
}
