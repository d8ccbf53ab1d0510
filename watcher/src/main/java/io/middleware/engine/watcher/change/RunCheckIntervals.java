package io.middleware.engine.watcher.change;

import java.time.Duration;
import java.time.Instant;

/**
 * When to check that a requested change has a run.
 *
 * @param resync between two checks, and after a signal
 * @param settling after a run ended with a request unfinished: the next run starts within moments
 * @param retryDelay before the next attempt when Temporal does not answer
 */
public record RunCheckIntervals(Duration resync, Duration settling, Duration retryDelay) {

  Instant firstCheck(RequestedChange request, Instant now) {
    return now.plus(request.stage() == RequestedChange.RequestStage.UNFINISHED ? settling : resync);
  }

  Instant checkAfter(Instant now) {
    return now.plus(resync);
  }
}
