package io.middleware.engine.watcher.cache;

import static io.middleware.engine.watcher.cache.ObjectMetaCacheTransform.shared;

import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupCopy;
import io.middleware.engine.api.backup.BackupCopyBuilder;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.backup.BackupStatusBuilder;
import io.middleware.engine.api.task.Excerpt;
import java.util.List;
import java.util.Objects;

/** Reduces a Backup to how far it is, and to which groups it has copies of. */
public final class BackupCacheTransform {
  private static final int LONGEST_MESSAGE = 600;

  private BackupCacheTransform() {}

  public static void reduce(Backup backup) {
    ObjectMetaCacheTransform.reduce(backup);
    if (backup.getStatus() != null) {
      backup.setStatus(status(backup.getStatus()));
    }
  }

  /** Whether an update changes anything that matters to the Backup's App. */
  public static boolean differs(Backup now, Backup before) {
    return now.isMarkedForDeletion() != before.isMarkedForDeletion()
        || !now.getMetadata().getUid().equals(before.getMetadata().getUid())
        || !Objects.equals(phase(now), phase(before));
  }

  private static String phase(Backup backup) {
    return backup.getStatus() == null ? null : backup.getStatus().phase();
  }

  private static BackupStatus status(BackupStatus status) {
    return BackupStatusBuilder.builder()
        .phase(shared(status.phase()))
        .message(shortened(status.message()))
        .size(status.size())
        .appUid(shared(status.appUid()))
        .workflowId(status.workflowId())
        .startedAt(status.startedAt())
        .completedAt(status.completedAt())
        .copies(
            status.copies() == null
                ? List.of()
                : status.all().map(BackupCacheTransform::copy).toList())
        .build();
  }

  private static BackupCopy copy(BackupCopy copy) {
    return BackupCopyBuilder.builder().id(shared(copy.id())).build();
  }

  private static String shortened(String message) {
    return message == null ? null : Excerpt.start(message, LONGEST_MESSAGE);
  }
}
