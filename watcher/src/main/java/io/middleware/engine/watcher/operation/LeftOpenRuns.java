package io.middleware.engine.watcher.operation;

import io.middleware.engine.api.App;
import io.middleware.engine.watcher.cache.LruCache;
import io.middleware.engine.watcher.change.ChangeRuns;
import io.middleware.engine.watcher.change.ChangeSignal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes runs of Apps that stay open although their change has ended, as after a restore of
 * Temporal's database: such a run may wait for an approval that nobody gives again. It plans anew,
 * finds nothing to do, and ends.
 */
final class LeftOpenRuns {
  private static final Logger LOG = LoggerFactory.getLogger(LeftOpenRuns.class);

  /** A run that is about to begin or to end is not in the way for so long. */
  private static final Duration USUAL = Duration.ofSeconds(30);

  /** One that was woken may have long pauses between its attempts. */
  private static final Duration BETWEEN_SIGNALS = Duration.ofMinutes(5);

  private final ChangeRuns runs;
  private final InstantSource clock;
  private final LruCache<String, InTheWay> seen = new LruCache<>();

  /**
   * A run that is in the way of the App's Operations.
   *
   * @param last when that was seen last
   * @param signal when it is signalled
   */
  private record InTheWay(Instant last, Instant signal) {}

  LeftOpenRuns(ChangeRuns runs, InstantSource clock) {
    this.runs = runs;
    this.clock = clock;
  }

  /** An Operation cannot begin because a run is open, although the App is not busy. */
  void inTheWay(App app) {
    var uid = app.getMetadata().getUid();
    var now = clock.instant();
    var signal =
        seen.get(uid)
            .filter(before -> before.last().plus(USUAL).isAfter(now))
            .map(InTheWay::signal)
            .orElse(now.plus(USUAL));
    if (!now.isBefore(signal)) {
      runs.signal(ChangeSignal.again(app));
      LOG.atWarn()
          .addKeyValue("namespace", app.getMetadata().getNamespace())
          .addKeyValue("app", app.getMetadata().getName())
          .log("the App's run is open although its change has ended; it is asked to plan again");
      signal = now.plus(BETWEEN_SIGNALS);
    }
    seen.put(uid, new InTheWay(now, signal));
  }
}
