package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.BackupScheduleStatus;
import io.middleware.engine.api.BackupSettings;
import io.middleware.engine.api.LastBackup;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.change.ChangeStatus;
import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.Timestamp;
import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.watcher.schedule.BackupTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Computes the last good backup of an App, and whether one is overdue: the last scheduled time is
 * longer ago than a late start and a whole backup take, and no good backup was created since. A
 * Backup counts by the API server's time of its creation, as a worker's clock may be wrong; one
 * from the future is no backup of a time in the past. An App that is stopped has no backup overdue,
 * nor has one that did not have its schedule yet.
 *
 * @param cluster its name; may be empty
 * @param backups of this App's name
 */
record BackupHealth(String cluster, App app, List<Backup> backups) {
  /** The clocks of the API server, of Temporal and of the watcher. */
  private static final Duration CLOCK_SKEW = Duration.ofMinutes(1);

  private static final int LONGEST_CAUSE = 500;

  private static final Comparator<Backup> BY_CREATION = Comparator.comparing(BackupHealth::created);

  BackupHealth {
    backups = List.copyOf(backups);
  }

  /** This status, with what is known of backups. */
  AppStatus in(AppStatus health, Instant now) {
    return with(
        health,
        good().max(BY_CREATION).map(backup -> last(backup, now)).orElse(null),
        schedule().orElse(null),
        missed(now).map(due -> overdue(due, now)));
  }

  /** This status, with what the App's status says of backups. */
  AppStatus current(AppStatus health) {
    var status = Optional.ofNullable(app.getStatus());
    return with(
        health,
        status.map(AppStatus::backup).orElse(null),
        status.map(AppStatus::backupSchedule).orElse(null),
        shown(app));
  }

  /** How soon a backup may become overdue; empty when none can. */
  Optional<Duration> nextCheck(Instant now) {
    return timesInForce()
        .flatMap(times -> times.next(now.minus(grace())))
        .map(due -> Duration.between(now, due.plus(grace())))
        .filter(Duration::isPositive);
  }

  /** Whether the App's status says that a backup is overdue. */
  static boolean isOverdue(App app) {
    return shown(app).isPresent();
  }

  private static LastBackup last(Backup backup, Instant now) {
    var status = backup.getStatus();
    var begun =
        Instant.parse(status.startedAt()).isAfter(now)
            ? backup.getMetadata().getCreationTimestamp()
            : status.startedAt();
    return new LastBackup(
        backup.getMetadata().getName(), begun, status.completedAt(), status.size());
  }

  /** The scheduled time whose backup is overdue. */
  private Optional<Instant> missed(Instant now) {
    return timesInForce()
        .flatMap(times -> times.last(now.minus(grace())))
        .filter(due -> good().noneMatch(backup -> isOf(due, backup, now)))
        .filter(due -> shown(app).isPresent() || hasRun(due) || wasScheduled(due));
  }

  private static boolean isOf(Instant due, Backup backup, Instant now) {
    return !created(backup).isBefore(due.minus(CLOCK_SKEW))
        && !created(backup).isAfter(now.plus(CLOCK_SKEW));
  }

  /** The schedule had this time already: its run has made a Backup. Temporal names it so. */
  private boolean hasRun(Instant due) {
    return own()
        .flatMap(backup -> backup.scheduledBy().stream())
        .anyMatch(workflow -> workflow.endsWith("-" + due));
  }

  private boolean wasScheduled(Instant due) {
    return schedule().filter(schedule -> !Instant.parse(schedule.since()).isAfter(due)).isPresent();
  }

  /**
   * The schedule that is in force: the one of the status until another one is carried out, so that
   * other edits do not put off what is overdue. So is one that an edit takes away. Empty while
   * there is none: also until the first one, or the start of the App, is carried out.
   */
  private Optional<BackupScheduleStatus> schedule() {
    if (isIdle()) {
      return Optional.empty();
    }
    var known = Optional.ofNullable(app.getStatus().backupSchedule());
    if (!isCarriedOut() || known.filter(this::isDesired).isPresent()) {
      return known;
    }
    if (BackupTimes.of(settings()).isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new BackupScheduleStatus(
            settings().schedule(), settings().timeZone(), carriedOutAt().toString()));
  }

  /** Those by which backups are taken now, also while another schedule is waiting. */
  private Optional<BackupTimes> timesInForce() {
    return schedule().flatMap(it -> BackupTimes.of(it.schedule(), it.timeZone()));
  }

  private boolean isDesired(BackupScheduleStatus schedule) {
    return BackupTimes.of(settings()).isPresent()
        && schedule.schedule().equals(settings().schedule())
        && Objects.equals(schedule.timeZone(), settings().timeZone());
  }

  /** Whether the newest edit is: before, the schedule in Temporal is the earlier one. */
  private boolean isCarriedOut() {
    var status = app.getStatus();
    return app.getMetadata().getGeneration().equals(status.observedGeneration())
        && status.change() != null
        && ChangeOutcome.SUCCEEDED.label().equals(status.change().outcome());
  }

  /** When the last change has ended. */
  private Instant carriedOutAt() {
    var created = Instant.parse(app.getMetadata().getCreationTimestamp());
    return Optional.ofNullable(app.getStatus().change())
        .map(ChangeStatus::completedAt)
        .map(Instant::parse)
        .filter(created::isBefore)
        .orElse(created);
  }

  /** Whether the App has no backups by schedule now. A stop that is not carried out is none. */
  private boolean isIdle() {
    return app.isMarkedForDeletion()
        || app.getSpec() == null
        || app.getStatus() == null
        || app.getStatus().observedGeneration() == null
        || isCarriedOut() && app.getSpec().isStopped();
  }

  private Duration grace() {
    return BackupTimes.grace(settings());
  }

  private BackupSettings settings() {
    return app.getSpec().backup();
  }

  private Condition overdue(Instant due, Instant now) {
    var since = shown(app).map(Condition::getLastTransitionTime).orElseGet(() -> Timestamp.of(now));
    return new ConditionBuilder()
        .withType(Reasons.BACKUP_OVERDUE)
        .withStatus("True")
        .withReason(Reasons.BACKUP_MISSED)
        .withMessage(message(due))
        .withObservedGeneration(app.getStatus().observedGeneration())
        .withLastTransitionTime(since)
        .build();
  }

  private String message(Instant due) {
    var meta = app.getMetadata();
    var last =
        good()
            .max(BY_CREATION)
            .map(backup -> "the last good one was created at " + created(backup))
            .orElse("there is no good one");
    return "the backup of %s is missing, and %s; %s; see kubectl get mwbackup -n %s, and temporal schedule describe --schedule-id %s"
        .formatted(
            due,
            last,
            failure(due),
            meta.getNamespace(),
            WorkflowIds.backup(cluster, meta.getNamespace(), meta.getName()));
  }

  private String failure(Instant due) {
    return own()
        .filter(backup -> !backup.hasSucceeded())
        .filter(backup -> !created(backup).isBefore(due.minus(CLOCK_SKEW)))
        .max(Comparator.comparing(BackupHealth::created))
        .map(BackupHealth::failure)
        .orElse("no run of the schedule has made a Backup since");
  }

  private static String failure(Backup backup) {
    var name = backup.getMetadata().getName();
    var status = backup.getStatus();
    if (status == null || status.phase() == null) {
      return "Backup %s has not begun".formatted(name);
    }
    return status.message() == null || status.message().isEmpty()
        ? "Backup %s is %s".formatted(name, status.phase())
        : "Backup %s is %s: %s"
            .formatted(name, status.phase(), Excerpt.of(status.message(), LONGEST_CAUSE));
  }

  private static Instant created(Backup backup) {
    return Instant.parse(backup.getMetadata().getCreationTimestamp());
  }

  private Stream<Backup> good() {
    return own()
        .filter(Backup::hasSucceeded)
        .filter(backup -> backup.getStatus().startedAt() != null);
  }

  /** Without those of an earlier App of this name. */
  private Stream<Backup> own() {
    return backups.stream()
        .filter(
            backup ->
                backup.getStatus() == null
                    || backup.getStatus().appUid() == null
                    || backup.getStatus().appUid().equals(app.getMetadata().getUid()));
  }

  private static Optional<Condition> shown(App app) {
    return app.getStatus() == null || app.getStatus().conditions() == null
        ? Optional.empty()
        : app.getStatus().conditions().stream()
            .filter(condition -> Reasons.BACKUP_OVERDUE.equals(condition.getType()))
            .findFirst();
  }

  private static AppStatus with(
      AppStatus health,
      LastBackup last,
      BackupScheduleStatus schedule,
      Optional<Condition> overdue) {
    return health
        .with()
        .backup(last)
        .backupSchedule(schedule)
        .conditions(Stream.concat(health.conditions().stream(), overdue.stream()).toList())
        .build();
  }
}
