package io.middleware.engine.watcher.backup;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupCopyBuilder;
import io.middleware.engine.api.backup.BackupSpec;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.backup.BackupStatusBuilder;
import io.middleware.engine.watcher.Objects;
import java.util.List;
import java.util.Map;

/** Backups of the App shop/cache. */
public final class SampleBackups {
  public static final String SCHEDULED_RUN = "backup/shop/cache-2026-11-25T03:00:00Z";

  /** As somebody creates one of a name. */
  static final String YAML = "metadata: {name: %s}\nspec: {app: cache}";

  private SampleBackups() {}

  /** One that a person has created. */
  public static Backup backup(String name) {
    var backup = new Backup();
    backup.setMetadata(
        new ObjectMetaBuilder()
            .withName(name)
            .withNamespace("shop")
            .withUid("uid-" + name)
            .withCreationTimestamp("2026-11-25T03:00:00Z")
            .build());
    backup.setSpec(new BackupSpec("cache", null, false));
    return backup;
  }

  /** One that a run of the schedule has created. */
  public static Backup scheduled(String name) {
    return scheduledBy(name, SCHEDULED_RUN);
  }

  /** The same of any run. */
  public static Backup scheduledBy(String name, String workflowId) {
    var backup = backup(name);
    backup.getMetadata().setAnnotations(Map.of(Labels.SCHEDULED_BY, workflowId));
    return backup;
  }

  /** One that a change has created before it upgrades the App. */
  static Backup beforeUpgrade(String name) {
    var backup = backup(name);
    backup.getMetadata().setLabels(Map.of(Labels.BEFORE_UPGRADE, "7"));
    return backup;
  }

  static Backup cancelled(Backup backup) {
    backup.setSpec(new BackupSpec("cache", null, true));
    return backup;
  }

  static Backup deleted(Backup backup) {
    backup.getMetadata().setDeletionTimestamp("2026-11-25T03:30:00Z");
    return backup;
  }

  static Backup begun(Backup backup, String workflowId, String... groups) {
    backup.setStatus(
        status(BackupStatus.IN_PROGRESS, workflowId, "2026-11-25T03:00:01Z", null, groups));
    return backup;
  }

  /** One that has ended so. */
  public static Backup ended(Backup backup, String phase, String startedAt) {
    backup.getMetadata().setCreationTimestamp(startedAt);
    backup.setStatus(
        status(phase, SCHEDULED_RUN, startedAt, startedAt, "nodes/shard-0").saying("as it went"));
    return backup;
  }

  private static BackupStatus status(
      String phase, String workflowId, String startedAt, String completedAt, String... groups) {
    var copies =
        List.of(groups).stream()
            .map(id -> BackupCopyBuilder.builder().id(id).key("key").build())
            .toList();
    return BackupStatusBuilder.builder()
        .phase(phase)
        .size("1.2 GiB")
        .appUid(Objects.app(7).getMetadata().getUid())
        .generation(7L)
        .store("nightly")
        .workflowId(workflowId)
        .runId("run-1")
        .startedAt(startedAt)
        .completedAt(completedAt)
        .copies(copies)
        .build();
  }
}
