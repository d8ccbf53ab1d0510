package io.middleware.engine.watcher.health;

import io.middleware.engine.watcher.cache.LruCache;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides when an update may be written: after its delay, and no sooner than a gap after the last
 * write of the same object. A difference that disappears meanwhile is never written; a difference
 * that persists always is.
 */
final class WritePacing {
  private final Duration gap;
  private final LruCache<String, WritePace> paces = new LruCache<>();

  private record WritePace(Optional<Instant> differsSince, Optional<Instant> writtenAt) {
    static final WritePace NONE = new WritePace(Optional.empty(), Optional.empty());
  }

  WritePacing(Duration gap) {
    this.gap = gap;
  }

  /** The status of the object is up to date. */
  void upToDate(String object, Instant now) {
    pace(object)
        .writtenAt()
        .filter(written -> now.isBefore(written.plus(gap)))
        .ifPresentOrElse(
            written -> paces.put(object, new WritePace(Optional.empty(), Optional.of(written))),
            () -> paces.remove(object));
  }

  /** The status of the object is out of date; returns when to write it. */
  Instant due(String object, Duration delay, Instant now) {
    var pace = pace(object);
    var since = pace.differsSince().orElse(now);
    paces.put(object, new WritePace(Optional.of(since), pace.writtenAt()));
    var delayed = since.plus(delay);
    return pace.writtenAt().map(written -> later(delayed, written.plus(gap))).orElse(delayed);
  }

  void written(String object, Instant now) {
    paces.put(object, new WritePace(Optional.empty(), Optional.of(now)));
  }

  private WritePace pace(String object) {
    return paces.get(object).orElse(WritePace.NONE);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
