package io.middleware.engine.workflows.port;

import static java.util.Objects.requireNonNull;

/**
 * A Backup, and the run that carries it out.
 *
 * @param cluster the name of the engine's cluster; may be empty
 * @param app name of the App in the same namespace
 * @param name of the Backup
 * @param scheduled whether the run was started by the schedule of the App, and creates the Backup
 */
public record BackupRef(
    String cluster,
    String namespace,
    String app,
    String name,
    String workflowId,
    String runId,
    boolean scheduled)
    implements BackupStep {
  public BackupRef {
    requireNonNull(cluster, "cluster");
    requireNonNull(namespace, "namespace");
    requireNonNull(app, "app");
    requireNonNull(name, "name");
    requireNonNull(workflowId, "workflowId");
    requireNonNull(runId, "runId");
  }

  @Override
  public BackupRef backup() {
    return this;
  }

  /** For example {@code Backup shop/cache-20261125-030000}. */
  @Override
  public String toString() {
    return "Backup %s/%s".formatted(namespace, name);
  }
}
