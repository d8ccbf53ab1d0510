package io.middleware.engine.workflows.port;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Objects;
import java.util.Optional;

/**
 * A Backup, and the run that carries it out.
 *
 * @param cluster the name of the engine's cluster; may be empty
 * @param app name of the App in the same namespace
 * @param name of the Backup
 * @param scheduled whether the run was started by the schedule of the App, and creates the Backup
 * @param beforeUpgradeTo the generation of the App that a change upgrades to afterwards: its run
 *     creates the Backup as well; empty for others
 */
public record BackupRef(
    String cluster,
    String namespace,
    String app,
    String name,
    String workflowId,
    String runId,
    boolean scheduled,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Long> beforeUpgradeTo)
    implements BackupStep {
  public BackupRef {
    requireNonNull(cluster, "cluster");
    requireNonNull(namespace, "namespace");
    requireNonNull(app, "app");
    requireNonNull(name, "name");
    requireNonNull(workflowId, "workflowId");
    requireNonNull(runId, "runId");
    beforeUpgradeTo = Objects.requireNonNullElse(beforeUpgradeTo, Optional.empty());
  }

  /** One that no change asks for. */
  public BackupRef(
      String cluster,
      String namespace,
      String app,
      String name,
      String workflowId,
      String runId,
      boolean scheduled) {
    this(cluster, namespace, app, name, workflowId, runId, scheduled, Optional.empty());
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
