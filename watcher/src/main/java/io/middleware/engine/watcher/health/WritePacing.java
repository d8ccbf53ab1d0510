package io.middleware.engine.watcher.health;

import io.middleware.engine.watcher.cache.LruCache;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When a difference may be written: after it has been held for its time, and no sooner than a gap
 * after the last write of the same object. A difference that goes away meanwhile is never written;
 * one that stays always is.
 */
final class WritePacing {
  private final Duration gap;
  private final LruCache<String, Pace> paces = new LruCache<>();

  private record Pace(Optional<Instant> differsSince, Optional<Instant> writtenAt) {
    static final Pace NONE = new Pace(Optional.empty(), Optional.empty());
  }

  WritePacing(Duration gap) {
    this.gap = gap;
  }

  /** The object is as it should be. */
  void same(String object, Instant now) {
    pace(object)
        .writtenAt()
        .filter(written -> now.isBefore(written.plus(gap)))
        .ifPresentOrElse(
            written -> paces.put(object, new Pace(Optional.empty(), Optional.of(written))),
            () -> paces.remove(object));
  }

  /** The object is not as it should be: when to write it. */
  Instant due(String object, Duration hold, Instant now) {
    var pace = pace(object);
    var since = pace.differsSince().orElse(now);
    paces.put(object, new Pace(Optional.of(since), pace.writtenAt()));
    var held = since.plus(hold);
    return pace.writtenAt().map(written -> later(held, written.plus(gap))).orElse(held);
  }

  void written(String object, Instant now) {
    paces.put(object, new Pace(Optional.empty(), Optional.of(now)));
  }

  private Pace pace(String object) {
    return paces.get(object).orElse(Pace.NONE);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
