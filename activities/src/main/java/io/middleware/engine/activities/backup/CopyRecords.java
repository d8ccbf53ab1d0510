package io.middleware.engine.activities.backup;

import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupCopy;
import io.middleware.engine.api.backup.BackupCopyBuilder;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.Timestamp;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.workflows.port.BackupActivities.GroupCopy;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The copy of one group, as the Backup's status keeps it. A copy is written before its pod is
 * asked, so that a repeat finds it.
 */
final class CopyRecords {
  private static final int LONGEST_LOCATION = 2048;
  private static final int LONGEST_VERSION = 64;

  private final Backups backups;
  private final Clock clock;
  private final GroupCopy group;

  CopyRecords(Backups backups, Clock clock, GroupCopy group) {
    this.backups = backups;
    this.clock = clock;
    this.group = group;
  }

  /** The Backup as it is now. */
  Backup backup() {
    return backups
        .findOfRun(group.backup())
        .filter(backup -> backup.getSpec() != null && !backup.hasEnded())
        .orElseThrow(this::gone);
  }

  /** The copy as it is in the Backup; empty when no pod has been asked. */
  Optional<BackupCopy> of(Backup backup) {
    return backup
        .getStatus()
        .copy(group.group().component(), group.group().group())
        .filter(copy -> CopyKeys.isOf(backup, copy));
  }

  /** The copy that the pod makes already, or a new one with the next key. */
  BackupCopy begin(PodState pod, boolean again) {
    return write(
        (backup, before) ->
            again && before.isPresent() && pod.uid().equals(before.get().podUid())
                ? before.get()
                : next(backup, before, pod));
  }

  private BackupCopy next(Backup backup, Optional<BackupCopy> before, PodState pod) {
    var attempt = before.map(BackupCopy::attempts).orElse(0) + 1;
    var key = CopyKeys.key(group, backup, attempt);
    return BackupCopyBuilder.builder()
        .id(id())
        .pod(pod.name())
        .podUid(pod.uid())
        .attempts(attempt)
        .key(key)
        .build();
  }

  /**
   * The copy is in the store.
   *
   * @param values as the agent answered
   */
  BackupCopy copied(BackupCopy copy, Map<String, String> values) {
    return write(
        copy,
        copy.with()
            .location(Excerpt.start(values.getOrDefault("location", copy.key()), LONGEST_LOCATION))
            .bytes(bytes(values))
            .checksum(values.get("checksum"))
            .version(
                values.containsKey("version")
                    ? Excerpt.start(values.get("version"), LONGEST_VERSION)
                    : null)
            .verifiedAt(null)
            .build());
  }

  /** The copy in the store is good. */
  void verified(BackupCopy copy) {
    write(copy, copy.withVerifiedAt(Timestamp.of(clock.instant())));
  }

  /** Writes only while it is the same attempt. */
  private BackupCopy write(BackupCopy copy, BackupCopy next) {
    return write(
        (backup, before) ->
            before
                .filter(it -> copy.key().equals(it.key()))
                .map(it -> next)
                .orElseThrow(this::gone));
  }

  private BackupCopy write(BiFunction<Backup, Optional<BackupCopy>, BackupCopy> next) {
    var written = new BackupCopy[1];
    var before =
        backups.write(
            group.backup(),
            found -> {
              if (found.hasEnded() || !isOfRun(found)) {
                return Optional.empty();
              }
              written[0] = next.apply(found, of(found));
              return Optional.of(BackupStatuses.with(found.getStatus(), written[0]));
            });
    if (before.isEmpty()) {
      throw gone();
    }
    return written[0];
  }

  private boolean isOfRun(Backup found) {
    return found.getStatus() != null && group.backup().runId().equals(found.getStatus().runId());
  }

  private static Long bytes(Map<String, String> values) {
    try {
      return Math.max(0, Long.parseLong(values.getOrDefault("size", "")));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private String id() {
    return BackupCopy.id(group.group().component(), group.group().group());
  }

  private RuntimeException gone() {
    return Faults.of(
        FaultKind.SUPERSEDED,
        "%s has ended or is gone; %s is not copied any more".formatted(group.backup(), id()));
  }
}
