package io.middleware.engine.activities.backup;

import io.middleware.engine.api.backup.BackupCopy;
import io.middleware.engine.api.backup.BackupCopyBuilder;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.backup.BackupStatusBuilder;
import io.middleware.engine.api.task.Timestamp;
import io.middleware.engine.workflows.port.BackupActivities.BackupGroup;
import io.middleware.engine.workflows.port.BackupRef;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes the statuses of Backups. */
final class BackupStatuses {
  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  private static final int STEP = 1024;

  private BackupStatuses() {}

  /**
   * Of a Backup that begins. It has a copy for each group, so that everybody knows which groups
   * there are.
   */
  static BackupStatus begun(BackupRef run, BackupAdmission.Admitted what, Instant now) {
    var copies =
        what.groups().stream()
            .map(group -> empty(BackupCopy.id(group.component(), group.group())))
            .toList();
    var app = what.app();
    return BackupStatusBuilder.builder()
        .phase(BackupStatus.IN_PROGRESS)
        .message(
            Stream.of("has begun", withoutPods(what.withoutPods()))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("; ")))
        .done(done(copies))
        .appUid(app.getMetadata().getUid())
        .generation(app.getStatus() == null ? null : app.getStatus().observedGeneration())
        .workflowId(run.workflowId())
        .runId(run.runId())
        .startedAt(Timestamp.of(now))
        .copies(copies)
        .withoutPods(what.withoutPods().isEmpty() ? null : what.withoutPods())
        .runtime(what.runtime())
        .plugin(what.plugin())
        .store(what.store())
        .build();
  }

  /** Whether a run has begun it, and none has ended it. */
  static boolean isInProgress(BackupStatus status) {
    return status != null
        && BackupStatus.IN_PROGRESS.equals(status.phase())
        && status.all().findAny().isPresent();
  }

  /** The same, which this run goes on with. */
  static BackupStatus takenOver(BackupRef run, BackupStatus before) {
    return before.by(run.workflowId(), run.runId());
  }

  /** What is said of groups without pods; empty when there are none. */
  static String withoutPods(List<String> groups) {
    return groups == null || groups.isEmpty()
        ? ""
        : "without %s, which had no pods".formatted(String.join(", ", groups));
  }

  private static BackupCopy empty(String id) {
    return BackupCopyBuilder.builder().id(id).build();
  }

  /** The groups of a Backup that has begun. */
  static List<BackupGroup> groups(BackupStatus status) {
    return status
        .all()
        .map(copy -> copy.id().split("/", 2))
        .map(id -> new BackupGroup(id[0], id[1]))
        .toList();
  }

  /** The same, where this group's copy is so far. */
  static BackupStatus with(BackupStatus status, BackupCopy copy) {
    var all =
        Stream.concat(status.all().filter(it -> !copy.id().equals(it.id())), Stream.of(copy))
            .toList();
    return status.with(all, done(all), size(all));
  }

  /** The same, of which nothing is in the store any more. */
  static BackupStatus withoutCopies(BackupStatus status) {
    var groups = status.all().map(copy -> empty(copy.id())).toList();
    return status.with(null, done(groups), null);
  }

  private static String done(List<BackupCopy> copies) {
    return copies.stream().filter(BackupCopy::isVerified).count() + "/" + copies.size();
  }

  private static String size(List<BackupCopy> copies) {
    var bytes =
        copies.stream()
            .filter(copy -> copy.isVerified() && copy.bytes() != null)
            .mapToLong(BackupCopy::bytes)
            .sum();
    return copies.stream().noneMatch(BackupCopy::isVerified) ? null : size(bytes);
  }

  /** For people, such as {@code 1.2 GiB}. */
  static String size(long bytes) {
    if (bytes < STEP) {
      return bytes + " B";
    }
    var amount = (double) bytes / STEP;
    var unit = 0;
    while (amount >= STEP && unit < UNITS.length - 1) {
      amount /= STEP;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", amount, UNITS[unit]);
  }
}
