package io.middleware.engine.watcher.health;

import java.time.Duration;

/**
 * How long an update is delayed before it is written, so that changes that follow are one write.
 *
 * @param unready while no change runs and pods are not ready: pods that fail together are one write
 * @param turn while a change runs, for a new phase or readiness of the App: a short change is one
 *     write
 * @param change while a change runs, for all other updates: pods come and go all the time
 * @param role while a group that was ready has a ready pod of unknown role: pod and role are one
 *     write
 * @param drift for objects that are not as the engine has written them: its own writes may be seen
 *     in another order than they were made
 * @param gap the shortest time between two writes of one object
 */
public record WriteDelays(
    Duration unready, Duration turn, Duration change, Duration role, Duration drift, Duration gap) {
  public static final WriteDelays DEFAULT =
      new WriteDelays(
          Duration.ofMillis(200),
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofMillis(2500),
          Duration.ofSeconds(2),
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
