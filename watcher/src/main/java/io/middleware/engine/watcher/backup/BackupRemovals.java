package io.middleware.engine.watcher.backup;

import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.task.Backoff;
import io.middleware.engine.watcher.cache.LruCache;
import io.middleware.engine.watcher.request.RequestObjects;
import io.middleware.engine.watcher.request.RequestRuns;
import io.middleware.engine.watcher.temporal.TemporalUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has the copies of Backups deleted that are being deleted. */
final class BackupRemovals {
  private static final Logger LOG = LoggerFactory.getLogger(BackupRemovals.class);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);
  private static final Backoff BETWEEN_REMOVALS =
      new Backoff(Duration.ofMinutes(1), Duration.ofMinutes(60));

  private final RequestRuns<Backup> runs;
  private final RequestObjects<Backup> objects;
  private final InstantSource clock;

  /** How the removal of a Backup was tried, by its uid. */
  private final LruCache<String, Tried> tried = new LruCache<>();

  /**
   * @param last when the removal was tried last
   * @param runs how many it has had
   */
  private record Tried(Instant last, int runs) {
    Duration pause() {
      return BETWEEN_REMOVALS.after(runs);
    }
  }

  /**
   * @param runs that delete the copies
   */
  BackupRemovals(RequestRuns<Backup> runs, RequestObjects<Backup> objects, InstantSource clock) {
    this.runs = runs;
    this.objects = objects;
    this.clock = clock;
  }

  /**
   * Has the copies of a Backup deleted.
   *
   * @return when to look at it again; empty when there is nothing in the store, and the Backup may
   *     go
   */
  Optional<Duration> of(Backup backup) {
    return objects
        .live(backup)
        .filter(live -> live.getStatus() != null && live.getStatus().all().findAny().isPresent())
        .map(this::removeCopies);
  }

  private Duration removeCopies(Backup backup) {
    var uid = backup.getMetadata().getUid();
    var now = clock.instant();
    var before = tried.get(uid);
    var next = before.map(it -> it.last().plus(it.pause())).orElse(now);
    if (next.isAfter(now)) {
      return Duration.between(now, next);
    }
    if (backup.getSpec() == null) {
      return BETWEEN_REMOVALS.first(); // a newer engine can read it
    }
    try {
      var begun = runs.start(backup);
      if (begun) {
        log(backup);
      }
      var trial = new Tried(now, Math.max(1, before.map(Tried::runs).orElse(0) + (begun ? 1 : 0)));
      tried.put(uid, trial);
      return trial.pause();
    } catch (TemporalUnavailableException e) {
      return AFTER_FAILURE;
    }
  }

  private static void log(Backup backup) {
    LOG.atInfo()
        .addKeyValue("namespace", backup.getMetadata().getNamespace())
        .addKeyValue("app", backup.getSpec().app())
        .addKeyValue("backup", backup.getMetadata().getName())
        .log("removal of a backup's copies submitted");
  }
}
