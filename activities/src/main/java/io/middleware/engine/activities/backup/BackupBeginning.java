package io.middleware.engine.activities.backup;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.middleware.engine.activities.backup.BackupAdmission.Admitted;
import io.middleware.engine.activities.backup.BackupAdmission.Refused;
import io.middleware.engine.activities.backup.BackupEnds.End;
import io.middleware.engine.api.App;
import io.middleware.engine.api.BackupSettings;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupSpec;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.planning.app.SpecDurations;
import io.middleware.engine.workflows.port.BackupActivities.BackupBegun;
import io.middleware.engine.workflows.port.BackupRef;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Begins Backups, or says why there is none. */
final class BackupBeginning {
  private final Backups backups;
  private final BackupComponents components;
  private final BackupAdmission admission;
  private final BackupEnds ends;
  private final BackupEvents events;
  private final ScheduleDeletion schedules;

  BackupBeginning(
      Backups backups,
      BackupComponents components,
      BackupAdmission admission,
      BackupEnds ends,
      BackupEvents events,
      ScheduleDeletion schedules) {
    this.backups = backups;
    this.components = components;
    this.admission = admission;
    this.ends = ends;
    this.events = events;
    this.schedules = schedules;
  }

  BackupBegun begin(BackupRef ref, Clock clock) {
    var app = components.app(ref.namespace(), ref.app());
    if (ref.scheduled() && app.isEmpty()) {
      schedules.delete(WorkflowIds.backup(ref.cluster(), ref.namespace(), ref.app()));
    }
    if (createsBackup(ref)) {
      app.ifPresent(it -> create(ref, it));
    }
    var found = backups.find(ref).filter(backup -> backup.getSpec() != null);
    if (found.isEmpty()) {
      return refusal(app.isEmpty() ? noApp(ref) : "%s does not exist".formatted(ref));
    }
    if (createsBackup(ref) && !isOf(ref, found.get())) {
      var why = "another Backup of this name exists; delete it";
      app.ifPresent(it -> events.refused(it, ref, why));
      return refusal("%s: %s".formatted(ref, why));
    }
    return begin(ref, app, found.get(), clock);
  }

  private BackupBegun begin(BackupRef ref, Optional<App> app, Backup backup, Clock clock) {
    var status = backup.getStatus();
    if (backup.hasEnded()) {
      return refusal(
          ref.runId().equals(status.runId())
              ? status.message()
              : "%s has ended before: %s%s"
                  .formatted(
                      ref,
                      status.phase(),
                      status.message() == null ? "" : ": " + status.message()));
    }
    if (backup.isCancelled()) {
      return end(ref, app, new End(BackupStatus.CANCELLED, "it was cancelled before it had begun"));
    }
    if (BackupStatuses.isInProgress(status)) {
      return begun(ref, backups.write(ref, it -> going(it).map(was -> takenOver(ref, was))));
    }
    if (app.isEmpty()) {
      return end(ref, app, new End(BackupStatus.FAILED, noApp(ref)));
    }
    return switch (admission.of(app.get())) {
      case Refused(var why) -> end(ref, app, new End(BackupStatus.FAILED, why));
      case Admitted admitted ->
          begun(
              ref,
              backups.write(
                  ref,
                  it ->
                      it.hasEnded()
                          ? Optional.empty()
                          : Optional.of(BackupStatuses.begun(ref, admitted, clock.instant()))));
    };
  }

  private static BackupStatus takenOver(BackupRef ref, BackupStatus was) {
    return BackupStatuses.takenOver(ref, was);
  }

  private static Optional<BackupStatus> going(Backup backup) {
    return Optional.ofNullable(backup.getStatus()).filter(it -> !backup.hasEnded());
  }

  private BackupBegun begun(BackupRef ref, Optional<Backup> backup) {
    return backup
        .map(
            it ->
                new BackupBegun(
                    BackupStatuses.groups(it.getStatus()), timeout(it), Optional.empty()))
        .orElseGet(() -> refusal("%s has ended or is gone".formatted(ref)));
  }

  private BackupBegun end(BackupRef ref, Optional<App> app, End end) {
    ends.end(ref, ref.scheduled() ? app : Optional.empty(), end, backup -> true);
    return refusal(end.why());
  }

  private static boolean createsBackup(BackupRef ref) {
    return ref.scheduled() || ref.beforeUpgradeTo().isPresent();
  }

  /** Whether this run, or the one that it repeats, has created it. */
  private static boolean isOf(BackupRef ref, Backup backup) {
    return ref.beforeUpgradeTo()
        .map(backup::isBeforeUpgradeTo)
        .orElseGet(() -> backup.scheduledBy().equals(Optional.of(ref.workflowId())));
  }

  private void create(BackupRef ref, App app) {
    var backup = new Backup();
    var metadata =
        new ObjectMetaBuilder()
            .withNamespace(ref.namespace())
            .withName(ref.name())
            .withLabels(Map.of(Labels.APP, ref.app()))
            .withFinalizers(Labels.BACKUP);
    ref.beforeUpgradeTo()
        .ifPresentOrElse(
            generation -> metadata.addToLabels(Labels.BEFORE_UPGRADE, String.valueOf(generation)),
            () -> metadata.addToAnnotations(Labels.SCHEDULED_BY, ref.workflowId()));
    backup.setMetadata(metadata.build());
    var timeout =
        Optional.ofNullable(app.getSpec())
            .map(spec -> spec.backup())
            .map(BackupSettings::timeout)
            .orElse(null);
    backup.setSpec(new BackupSpec(ref.app(), timeout, null));
    backups.create(backup);
  }

  static Duration timeout(Backup backup) {
    return SpecDurations.parse(backup.getSpec().timeout()).orElse(BackupSpec.DEFAULT_TIMEOUT);
  }

  private static String noApp(BackupRef ref) {
    return "App %s/%s does not exist%s"
        .formatted(
            ref.namespace(), ref.app(), ref.scheduled() ? "; its backup schedule is deleted" : "");
  }

  private static BackupBegun refusal(String why) {
    return new BackupBegun(List.of(), BackupSpec.DEFAULT_TIMEOUT, Optional.of(why));
  }
}
