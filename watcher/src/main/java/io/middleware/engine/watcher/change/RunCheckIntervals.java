package io.middleware.engine.watcher.change;

import java.time.Duration;
import java.time.Instant;

/**
 * When to look for the run of a wish.
 *
 * @param resync between two looks, and after a signal
 * @param settling after a run has ended with a wish left: the next run starts within moments
 * @param away before the next try, when nobody can say anything about runs
 */
public record RunCheckIntervals(Duration resync, Duration settling, Duration away) {

  Instant firstLook(RequestedChange wish, Instant now) {
    return now.plus(wish.stage() == RequestedChange.Stage.LEFT_BEHIND ? settling : resync);
  }

  Instant nextLook(Instant now) {
    return now.plus(resync);
  }
}
