package io.middleware.engine.workflows.port;

import static java.util.Objects.requireNonNull;

import io.middleware.engine.api.task.WorkflowIds;

/**
 * Which run carries out which generation of which App; every request carries it.
 *
 * @param uid of the App object, so that a late step cannot touch a new App of the same name
 * @param runId of the root workflow's run: each write compares it with the App's run lock
 */
public record ChangeRef(String namespace, String app, String uid, long generation, String runId)
    implements ChangeStep {
  public ChangeRef {
    requireNonNull(namespace, "namespace");
    requireNonNull(app, "app");
    requireNonNull(uid, "uid");
    requireNonNull(runId, "runId");
  }

  /** The release of the App, which is a step of its own. */
  @Override
  public ChangeRef change() {
    return this;
  }

  @Override
  public boolean fromAppWorkflow() {
    return true;
  }

  /** The same run, carrying out this generation. */
  public ChangeRef at(long newGeneration) {
    return new ChangeRef(namespace, app, uid, newGeneration, runId);
  }

  /** The root workflow's id. */
  public String workflowId() {
    return WorkflowIds.app(namespace, app);
  }
}
