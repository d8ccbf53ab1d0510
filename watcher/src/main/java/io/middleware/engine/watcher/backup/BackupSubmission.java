package io.middleware.engine.watcher.backup;

import io.middleware.engine.api.Backup;
import io.middleware.engine.api.BackupStatus;
import io.middleware.engine.watcher.backup.BackupDecision.Check;
import io.middleware.engine.watcher.backup.BackupDecision.End;
import io.middleware.engine.watcher.backup.BackupDecision.Ended;
import io.middleware.engine.watcher.backup.BackupDecision.Start;
import io.middleware.engine.watcher.backup.BackupDecision.Wait;
import io.middleware.engine.watcher.cache.LruCache;
import io.middleware.engine.watcher.change.TemporalUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits Backups to Temporal, and ends those whose run is lost. Before it starts a run, and after
 * it finds none, it reads the Backup again: a run writes how the Backup has ended before it ends
 * itself.
 */
public final class BackupSubmission {
  private static final Logger LOG = LoggerFactory.getLogger(BackupSubmission.class);
  private static final String SUBMITTED = "is about to begin";
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration REGULARLY = Duration.ofSeconds(10);
  private static final Duration BETWEEN_REMOVALS = Duration.ofMinutes(1);

  private final BackupRuns runs;
  private final BackupObjects objects;
  private final BackupWorkflowIds ids;
  private final InstantSource clock;

  /** When the removal of a Backup was tried last, by its uid. */
  private final LruCache<String, Instant> removals = new LruCache<>();

  /**
   * @param cluster its name; may be empty
   */
  public BackupSubmission(
      BackupRuns runs, BackupObjects objects, String cluster, InstantSource clock) {
    this.runs = runs;
    this.objects = objects;
    this.ids = new BackupWorkflowIds(cluster);
    this.clock = clock;
  }

  /**
   * Does what is to be done about the Backup now.
   *
   * @return when to look at it again if nothing happens before; empty when it has ended
   */
  public Optional<Duration> reconcile(Backup backup) {
    try {
      return switch (BackupDecision.of(backup, ids.isOfRun(backup), clock.instant())) {
        case Wait(var next) -> Optional.of(next);
        case Start() -> start(backup);
        case Check check -> check(backup, check);
        case End(var phase, var why) -> end(backup, phase, why);
        case Ended() -> Optional.empty();
      };
    } catch (TemporalUnavailableException e) {
      return waiting(backup, e);
    }
  }

  /**
   * Ends the Backup's run and has its copies deleted.
   *
   * @return when to look at it again; empty when there is nothing in the store, and the Backup may
   *     go
   */
  public Optional<Duration> remove(Backup backup) {
    try {
      if (!backup.hasEnded() && cancelled(ids.of(backup))) {
        return Optional.of(SOON);
      }
    } catch (TemporalUnavailableException e) {
      return Optional.of(SOON);
    }
    return objects
        .live(backup)
        .filter(live -> live.getStatus() != null && live.getStatus().all().findAny().isPresent())
        .map(this::removeCopies);
  }

  private Duration removeCopies(Backup backup) {
    var uid = backup.getMetadata().getUid();
    var now = clock.instant();
    var next = removals.get(uid).map(last -> last.plus(BETWEEN_REMOVALS)).orElse(now);
    if (next.isAfter(now)) {
      return Duration.between(now, next);
    }
    if (backup.getSpec() == null) {
      return BETWEEN_REMOVALS; // a newer engine can read it
    }
    try {
      if (runs.startRemoval(backup)) {
        log(backup, "removal of a backup's copies submitted");
      }
      removals.put(uid, now);
      return BETWEEN_REMOVALS;
    } catch (TemporalUnavailableException e) {
      return SOON;
    }
  }

  private Optional<Duration> start(Backup seen) {
    var live = objects.live(seen).filter(it -> !it.hasEnded() && !BackupDecision.hasBegun(it));
    if (live.isPresent()) {
      if (runs.start(live.get())) {
        log(seen, "backup submitted");
      }
      pending(live.get(), SUBMITTED);
    }
    return Optional.of(REGULARLY);
  }

  private Optional<Duration> check(Backup backup, Check check) {
    var id = ids.of(backup);
    var open = check.cancel() ? cancelled(id) : runs.isOpen(id);
    return open
        ? Optional.of(check.cancel() ? SOON : REGULARLY)
        : end(backup, check.phase(), check.why());
  }

  /** Asks the run to stop; returns whether there is one. */
  private boolean cancelled(String workflowId) {
    var open = runs.isOpen(workflowId);
    if (open) {
      runs.cancel(workflowId);
    }
    return open;
  }

  private Optional<Duration> end(Backup seen, String phase, String why) {
    var at = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    objects
        .live(seen)
        .filter(live -> !live.hasEnded())
        .ifPresent(
            live -> {
              var before = live.getStatus() == null ? BackupStatus.pending("") : live.getStatus();
              objects.write(live, before.ended(phase, why, at));
            });
    return Optional.of(REGULARLY);
  }

  private Optional<Duration> waiting(Backup seen, TemporalUnavailableException cause) {
    if (!BackupDecision.hasBegun(seen) && !ids.isOfRun(seen)) {
      objects
          .live(seen)
          .filter(live -> !live.hasEnded() && !BackupDecision.hasBegun(live))
          .ifPresent(live -> pending(live, "Temporal does not answer: " + cause.getMessage()));
    }
    return Optional.of(SOON);
  }

  private void pending(Backup live, String why) {
    var status = BackupStatus.pending(why);
    if (!status.equals(live.getStatus())) {
      objects.write(live, status);
    }
  }

  private static void log(Backup backup, String message) {
    LOG.atInfo()
        .addKeyValue("namespace", backup.getMetadata().getNamespace())
        .addKeyValue("app", backup.getSpec().app())
        .addKeyValue("backup", backup.getMetadata().getName())
        .log(message);
  }
}
