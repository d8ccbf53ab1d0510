package io.middleware.engine.watcher.health;

import java.time.Duration;

/**
 * How long a difference is held back before it is written.
 *
 * @param unready while no change runs: several pods that fail together are one write
 * @param turn while a change runs, for the App's turn from one phase or readiness to another: a
 *     short change is one write
 * @param change while a change runs, for everything else: pods come and go all the time
 * @param role while a group that was ready has a ready pod that has not said what it is: pod and
 *     role are one write
 * @param gap between two writes of one object
 */
public record WriteDelays(
    Duration unready, Duration turn, Duration change, Duration role, Duration gap) {
  public static final WriteDelays DEFAULT =
      new WriteDelays(
          Duration.ofMillis(200),
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofMillis(2500),
          Duration.ofSeconds(1));

  Duration of(boolean changing, boolean turning, boolean ready, boolean roleless) {
    if (changing) {
      return turning ? turn : change;
    }
    if (!ready) {
      return unready;
    }
    return roleless ? role : Duration.ZERO;
  }
}
