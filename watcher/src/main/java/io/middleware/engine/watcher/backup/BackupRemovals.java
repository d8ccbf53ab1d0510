package io.middleware.engine.watcher.backup;

import io.middleware.engine.api.backup.Backup;
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
  private static final Duration BETWEEN_REMOVALS = Duration.ofMinutes(1);

  private final RequestRuns<Backup> runs;
  private final RequestObjects<Backup> objects;
  private final InstantSource clock;

  /** When the removal of a Backup was tried last, by its uid. */
  private final LruCache<String, Instant> tried = new LruCache<>();

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
    var next = tried.get(uid).map(last -> last.plus(BETWEEN_REMOVALS)).orElse(now);
    if (next.isAfter(now)) {
      return Duration.between(now, next);
    }
    if (backup.getSpec() == null) {
      return BETWEEN_REMOVALS; // a newer engine can read it
    }
    try {
      if (runs.start(backup)) {
        log(backup);
      }
      tried.put(uid, now);
      return BETWEEN_REMOVALS;
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
