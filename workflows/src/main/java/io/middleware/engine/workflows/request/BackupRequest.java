package io.middleware.engine.workflows.request;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Objects;
import java.util.Optional;

/**
 * A backup that is to be taken.
 *
 * @param cluster the name of the engine's cluster; may be empty
 * @param backup name of the Backup that asks for it; empty for the schedule of the App, whose runs
 *     create a Backup each
 * @param beforeUpgradeTo the generation of the App that a change upgrades to afterwards: the run
 *     creates the Backup; empty for others
 */
public record BackupRequest(
    String cluster,
    String namespace,
    String app,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> backup,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Long> beforeUpgradeTo) {
  public BackupRequest {
    cluster = Objects.requireNonNullElse(cluster, "");
    backup = Objects.requireNonNullElse(backup, Optional.empty());
    beforeUpgradeTo = Objects.requireNonNullElse(beforeUpgradeTo, Optional.empty());
  }

  /** One that no change asks for. */
  public BackupRequest(String cluster, String namespace, String app, Optional<String> backup) {
    this(cluster, namespace, app, backup, Optional.empty());
  }
}
