package io.middleware.engine.watcher.backup;

import io.middleware.engine.api.Labels;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.watcher.cache.BackupCacheTransform;
import io.middleware.engine.watcher.request.RequestDecision.End;
import io.middleware.engine.watcher.request.RequestEnds;
import io.middleware.engine.watcher.request.RequestKind;
import io.middleware.engine.watcher.request.RequestProgress;
import io.middleware.engine.watcher.request.RequestReconciler;
import io.middleware.engine.watcher.request.RequestSubmission;
import io.middleware.engine.watcher.request.RequestSubmissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How far Backups are, as they say. A Backup is a record, which stays until somebody deletes it.
 * The run that deletes its copies removes the finalizer.
 */
public final class BackupKind implements RequestKind<Backup, BackupStatus> {
  static final RequestEnds ENDS =
      RequestEnds.of(
          BackupStatus.FAILED,
          "the copies it made are deleted with this Backup; create another Backup",
          "the copies it made are deleted with this Backup");

  private final BackupWorkflowIds ids;
  private final BackupRemovals removals;

  BackupKind(BackupWorkflowIds ids, BackupRemovals removals) {
    this.ids = ids;
    this.removals = removals;
  }

  /**
   * Builds the reconciler of Backups.
   *
   * @param cluster its name; may be empty
   */
  public static RequestReconciler<Backup> reconciler(
      RequestSubmissions submissions, String cluster) {
    var ids = new BackupWorkflowIds(cluster);
    var removals =
        new BackupRemovals(
            submissions.runs(new BackupRuns.Removals(ids)),
            submissions.objects(Backup.class),
            submissions.clock());
    return new BackupReconciler(
        submissions.of(new BackupKind(ids, removals), ENDS, new BackupRuns(ids)));
  }

  @Override
  public Class<Backup> type() {
    return Backup.class;
  }

  @Override
  public String finalizer() {
    return Labels.BACKUP;
  }

  /** One that is deleted is looked after as if it had begun: no copy may be forgotten. */
  @Override
  public RequestProgress progress(Backup backup) {
    var readable = backup.getSpec() != null;
    return new RequestProgress(
        readable,
        Optional.empty(),
        backup.isCancelled(),
        backup.isMarkedForDeletion() || readable && (hasBegun(backup) || ids.isOfRun(backup)),
        Optional.ofNullable(backup.getStatus()).map(BackupStatus::completedAt).map(Instant::parse),
        Optional.empty());
  }

  /** Whether its run has written what is backed up. */
  private static boolean hasBegun(Backup backup) {
    return backup.getStatus() != null
        && backup.getStatus().phase() != null
        && !BackupStatus.PENDING.equals(backup.getStatus().phase());
  }

  @Override
  public void reduce(Backup backup) {
    BackupCacheTransform.reduce(backup);
  }

  @Override
  public BackupStatus waiting(String phase, String why) {
    return BackupStatus.pending(why);
  }

  @Override
  public BackupStatus ended(Backup backup, End end, String at) {
    return Optional.ofNullable(backup.getStatus())
        .orElseGet(() -> BackupStatus.pending(""))
        .ended(end.phase(), end.why(), at);
  }

  @Override
  public boolean isHeld(Backup backup) {
    return true;
  }

  @Override
  public Optional<Duration> release(Backup backup) {
    return removals.of(backup);
  }

  static final class BackupReconciler extends RequestReconciler<Backup> {
    BackupReconciler(RequestSubmission<Backup, ?> submission) {
      super(submission);
    }
  }
}
