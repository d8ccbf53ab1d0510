package io.middleware.engine.watcher.request;

/** The runs in Temporal of requests that have a workflow each. */
public record TemporalRequestRuns<T>(WorkflowRuns runs, RequestWorkflow<T> workflow)
    implements RequestRuns<T> {

  @Override
  public boolean start(T request) {
    return runs.start(client -> workflow.start(client, request));
  }

  @Override
  public boolean isOpen(T request) {
    return runs.isOpen(workflow.id(request));
  }

  @Override
  public boolean cancel(T request) {
    return runs.cancel(workflow.id(request));
  }
}
