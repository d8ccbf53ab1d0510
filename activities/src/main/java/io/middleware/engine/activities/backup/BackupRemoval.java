package io.middleware.engine.activities.backup;

import io.middleware.engine.activities.backup.BackupComponents.DeployedPart;
import io.middleware.engine.api.App;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupCopy;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.workflows.port.BackupRef;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Deletes what Backups have in the store, and Backups that are being deleted. */
final class BackupRemoval {
  private final Backups backups;
  private final BackupComponents components;
  private final ClusterView view;
  private final CopyRemoval removal;
  private final KeptCopies kept;

  BackupRemoval(
      Backups backups,
      BackupComponents components,
      ClusterView view,
      CopyRemoval removal,
      KeptCopies kept) {
    this.backups = backups;
    this.components = components;
    this.view = view;
    this.removal = removal;
    this.kept = kept;
  }

  /** Whose agents reach the store of a Backup. */
  private sealed interface Reach {}

  private record Reachable(List<DeployedPart> parts) implements Reach {}

  /**
   * No agents ever will.
   *
   * @param why for people
   */
  private record Unreachable(String why) implements Reach {}

  /** Deletes the copies of a Backup that has not succeeded. */
  void discard(BackupRef ref) {
    var backup = backups.findOfRun(ref).filter(it -> !it.hasEnded());
    var copies = backup.map(BackupRemoval::copies).orElse(List.of());
    if (copies.isEmpty()) {
      return;
    }
    switch (reach(backup.orElseThrow())) {
      case Reachable(var parts) -> delete(backup.get(), copies, parts, CopyRemoval.BRIEF);
      case Unreachable(var why) ->
          throw Faults.of(
              FaultKind.REFUSED,
              "%s; delete by hand: %s".formatted(why, String.join(", ", locations(copies))));
    }
    backups.write(
        ref,
        found ->
            ref.runId().equals(found.getStatus().runId()) && !found.hasEnded()
                ? Optional.of(BackupStatuses.withoutCopies(found.getStatus()))
                : Optional.empty());
  }

  /** Deletes the copies of a Backup that is being deleted, then lets it go. */
  void remove(BackupRef ref) {
    var found = backups.find(ref).filter(Backup::isMarkedForDeletion);
    if (found.isEmpty()) {
      return;
    }
    var backup = found.get();
    var copies = copies(backup);
    if (!copies.isEmpty()) {
      remove(ref, backup, copies);
    }
    keepForeign(ref, backup);
    backups.release(backup);
  }

  private void remove(BackupRef ref, Backup backup, List<BackupCopy> copies) {
    try {
      requireUnneeded(ref);
      switch (reach(backup)) {
        case Unreachable(var why) -> kept.report(backup, ref, why, locations(copies));
        case Reachable(var parts) -> delete(backup, copies, parts, CopyRemoval.PATIENT);
      }
    } catch (ApplicationFailure e) {
      say(ref, "its copies cannot be deleted: " + e.getOriginalMessage());
      throw e;
    }
  }

  private void keepForeign(BackupRef ref, Backup backup) {
    var foreign = recorded(backup).filter(copy -> !CopyKeys.isOf(backup, copy)).toList();
    if (!foreign.isEmpty()) {
      kept.reportForeign(backup, ref, foreign.stream().map(BackupCopy::key).toList());
    }
  }

  private void requireUnneeded(BackupRef ref) {
    if (components.restoring(ref.namespace()).contains(ref.name())) {
      throw Faults.of(FaultKind.UNAVAILABLE, "an App is being restored from it");
    }
  }

  private void delete(
      Backup backup, List<BackupCopy> copies, List<DeployedPart> parts, Duration longest) {
    var app = new AppKey(backup.getMetadata().getNamespace(), backup.getSpec().app());
    removal.delete(copies, removal.removers(app, parts), longest);
  }

  private void say(BackupRef ref, String message) {
    backups.write(
        ref, found -> Optional.ofNullable(found.getStatus()).map(it -> it.saying(message)));
  }

  /** The agents of pods that do not run are not waited for, unless they are to run. */
  private Reach reach(Backup backup) {
    var namespace = backup.getMetadata().getNamespace();
    var name = backup.getSpec().app();
    var app = components.app(namespace, name).filter(it -> it.getSpec() != null);
    if (app.isEmpty()) {
      return new Unreachable("App %s/%s is gone".formatted(namespace, name));
    }
    try {
      var key = new AppKey(namespace, name);
      var parts =
          components.of(app.get()).stream()
              .filter(part -> part.agents().exists() && part.hasData() && reaches(part, backup))
              .toList();
      if (parts.stream().anyMatch(part -> isToRun(key, part))) {
        return new Reachable(parts);
      }
      if (isToReach(app.get(), backup)) {
        throw Faults.of(
            FaultKind.UNAVAILABLE,
            "App %s/%s is stopped, or not deployed yet: its agents delete them when it runs"
                .formatted(namespace, name));
      }
      return new Unreachable(
          "App %s/%s has no agents that reach BackupStore %s"
              .formatted(namespace, name, backup.getStatus().store()));
    } catch (ApplicationFailure e) {
      if (FaultKind.INVALID.label().equals(e.getType())) {
        return new Unreachable(e.getOriginalMessage());
      }
      throw e;
    }
  }

  /** The App may have another store since; a copy that is not in that one would seem deleted. */
  private static boolean reaches(DeployedPart part, Backup backup) {
    return part.store().isPresent()
        && part.store().equals(Optional.ofNullable(backup.getStatus().store()));
  }

  private static boolean isToReach(App app, Backup backup) {
    return app.getSpec().backup() != null
        && backup.getStatus().store() != null
        && backup.getStatus().store().equals(app.getSpec().backup().store());
  }

  private boolean isToRun(AppKey app, DeployedPart part) {
    return view.statefulSets(app, part.spec().component()).stream()
        .anyMatch(set -> Rollout.replicas(set) > 0);
  }

  private static List<BackupCopy> copies(Backup backup) {
    return recorded(backup).filter(copy -> CopyKeys.isOf(backup, copy)).toList();
  }

  private static Stream<BackupCopy> recorded(Backup backup) {
    return Stream.ofNullable(backup.getStatus())
        .flatMap(BackupStatus::all)
        .filter(copy -> copy.key() != null);
  }

  private static List<String> locations(List<BackupCopy> copies) {
    return copies.stream()
        .map(copy -> Objects.requireNonNullElse(copy.location(), copy.key()))
        .toList();
  }
}
