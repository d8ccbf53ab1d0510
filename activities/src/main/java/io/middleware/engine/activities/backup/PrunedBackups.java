package io.middleware.engine.activities.backup;

import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.workflows.port.BackupRef;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which Backups of a schedule are deleted. The newest good ones are kept, as many as the App keeps.
 * Failed and cancelled ones are deleted when they are older than all that are kept, and the oldest
 * when there are too many: none may succeed for long.
 *
 * <p>The API server dates them: a worker whose clock is wrong would delete what is new. A time in
 * the future counts as now, and the Backup of the run that prunes is the newest whatever its date.
 *
 * @param all to be deleted
 */
record PrunedBackups(List<Backup> all) {
  /** Enough to see since when they fail, and whether always in the same way. */
  static final int MOST_BAD = 20;

  /**
   * @param backups of one App, whoever created them
   * @param newest the Backup of the run that prunes
   * @param retention how many good ones of the schedule are kept, at least 1
   */
  static PrunedBackups of(List<Backup> backups, BackupRef newest, int retention, Instant now) {
    var newestFirst =
        Comparator.<Backup, Boolean>comparing(
                it -> newest.name().equals(it.getMetadata().getName()))
            .reversed()
            .thenComparing(newestFirst(now));
    var good = scheduled(backups).filter(Backup::hasSucceeded).sorted(newestFirst).toList();
    var number = Math.min(Math.max(1, retention), good.size());
    var surplus = afterABadOne(backups, now).all();
    if (number == 0) {
      return new PrunedBackups(surplus);
    }
    var oldest = created(good.get(number - 1), now);
    var old = bad(backups).filter(backup -> created(backup, now).isBefore(oldest));
    return new PrunedBackups(
        Stream.of(good.stream().skip(number), old, surplus.stream())
            .flatMap(all -> all)
            .distinct()
            .toList());
  }

  /**
   * Which ones are deleted when the newest is bad: no good one.
   *
   * @param backups of one App, whoever created them
   */
  static PrunedBackups afterABadOne(List<Backup> backups, Instant now) {
    return new PrunedBackups(bad(backups).sorted(newestFirst(now)).skip(MOST_BAD).toList());
  }

  private static Stream<Backup> scheduled(List<Backup> backups) {
    return backups.stream()
        .filter(backup -> backup.scheduledBy().isPresent() && !backup.isMarkedForDeletion());
  }

  private static Stream<Backup> bad(List<Backup> backups) {
    return scheduled(backups).filter(PrunedBackups::isBad);
  }

  private static Comparator<Backup> newestFirst(Instant now) {
    return Comparator.<Backup, Instant>comparing(backup -> created(backup, now))
        .thenComparing(backup -> backup.getMetadata().getName())
        .reversed();
  }

  /**
   * Whether a run of the schedule of this App has made the Backup. Those of an earlier App of the
   * name stay, and an annotation alone proves nothing: its copies were made by the run.
   *
   * @param newest of the schedule
   */
  static boolean isOfSchedule(Backup backup, BackupRef newest, String appUid) {
    var status = backup.getStatus();
    if (status == null || !backup.hasSucceeded()) {
      return true;
    }
    var schedule = WorkflowIds.backup(newest.cluster(), newest.namespace(), newest.app()) + "-";
    return appUid.equals(status.appUid())
        && backup.scheduledBy().equals(Optional.ofNullable(status.workflowId()))
        && status.workflowId().startsWith(schedule);
  }

  private static boolean isBad(Backup backup) {
    return backup.hasEnded()
        && List.of(BackupStatus.FAILED, BackupStatus.CANCELLED)
            .contains(backup.getStatus().phase());
  }

  private static Instant created(Backup backup, Instant now) {
    var created = Instant.parse(backup.getMetadata().getCreationTimestamp());
    return created.isAfter(now) ? now : created;
  }
}
