package io.middleware.engine.workflows.port;

import static java.util.Objects.requireNonNull;

import io.middleware.engine.api.task.WorkflowIds;
import java.util.Objects;

/**
 * Which run carries out which generation of which App; every request carries it.
 *
 * @param uid of the App object, so that a late step cannot touch a new App of the same name
 * @param runId of the root workflow's run: each write compares it with the App's run lock
 * @param cluster the name of the engine's cluster; empty, and missing in older histories, if it has
 *     none
 */
public record ChangeRef(
    String namespace, String app, String uid, long generation, String runId, String cluster)
    implements ChangeStep {
  public ChangeRef {
    cluster = Objects.requireNonNullElse(cluster, "");
    requireNonNull(namespace, "namespace");
    requireNonNull(app, "app");
    requireNonNull(uid, "uid");
    requireNonNull(runId, "runId");
  }

  /** A change in a cluster without a name. */
  public ChangeRef(String namespace, String app, String uid, long generation, String runId) {
    this(namespace, app, uid, generation, runId, "");
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
    return new ChangeRef(namespace, app, uid, newGeneration, runId, cluster);
  }

  /** The root workflow's id. */
  public String workflowId() {
    return WorkflowIds.app(cluster, namespace, app);
  }
}
