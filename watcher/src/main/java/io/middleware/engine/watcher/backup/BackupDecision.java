package io.middleware.engine.watcher.backup;

import io.middleware.engine.api.Backup;
import io.middleware.engine.api.BackupStatus;
import java.time.Duration;
import java.time.Instant;

/** What to do about a Backup now. Nothing is remembered: its status says how far it is. */
sealed interface BackupDecision {
  /** A run that creates its Backup begins it just after that. */
  Duration LONGEST_BEGIN = Duration.ofMinutes(1);

  String LOST =
      "its run ended without a result: it was terminated, or Temporal has lost it; "
          + "what it has copied is deleted with this Backup; create another Backup";

  /** Nothing can be done before this time has passed, or something else happens. */
  record Wait(Duration next) implements BackupDecision {}

  /** A run is to take it, if none is open. */
  record Start() implements BackupDecision {}

  /**
   * Its run is looked for; without one, it ends so.
   *
   * @param cancel whether the run is asked to stop
   */
  record Check(boolean cancel, String phase, String why) implements BackupDecision {}

  /** It ends without a run. */
  record End(String phase, String why) implements BackupDecision {}

  /** It has ended. */
  record Ended() implements BackupDecision {}

  /**
   * @param ofRun whether a run has created it
   */
  static BackupDecision of(Backup backup, boolean ofRun, Instant now) {
    if (backup.hasEnded()) {
      return new Ended();
    }
    if (backup.getSpec() == null) {
      return new End(BackupStatus.FAILED, "its spec cannot be read: it may need a newer engine");
    }
    if (hasBegun(backup) || ofRun) {
      return begun(backup, now);
    }
    return backup.isCancelled()
        ? new Check(true, BackupStatus.CANCELLED, "it was cancelled before it began")
        : new Start();
  }

  private static BackupDecision begun(Backup backup, Instant now) {
    if (backup.isCancelled()) {
      return new Check(
          true,
          BackupStatus.CANCELLED,
          "it was cancelled, and had no run any more; what was copied is deleted with this Backup");
    }
    var created = Instant.parse(backup.getMetadata().getCreationTimestamp());
    var begins = Duration.between(now, created.plus(LONGEST_BEGIN));
    return hasBegun(backup) || !begins.isPositive()
        ? new Check(false, BackupStatus.FAILED, LOST)
        : new Wait(begins);
  }

  /** Whether its run has written what is backed up. */
  static boolean hasBegun(Backup backup) {
    return backup.getStatus() != null
        && backup.getStatus().phase() != null
        && !BackupStatus.PENDING.equals(backup.getStatus().phase());
  }
}
