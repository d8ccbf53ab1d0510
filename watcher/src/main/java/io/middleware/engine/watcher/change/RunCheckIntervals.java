package io.middleware.engine.watcher.change;

import io.middleware.engine.api.task.Backoff;
import java.time.Duration;
import java.time.Instant;

/**
 * When to check that a requested change has a run.
 *
 * @param resync between two checks, and after a signal
 * @param settling after a run ended with a request unfinished, or was cancelled just before: the
 *     next run starts within moments; also before the first check by a watcher that has just
 *     started
 * @param retryDelay before the next attempt when Temporal does not answer
 */
public record RunCheckIntervals(Duration resync, Duration settling, Duration retryDelay) {
  private static final Backoff REPLAN = new Backoff(Duration.ofMinutes(1), Duration.ofMinutes(60));

  /**
   * @param inherited from an earlier watcher, which may have seen that the run was lost
   */
  Instant firstCheck(RequestedChange request, boolean inherited, Instant now) {
    var isLeft = request.stage() == RequestedChange.RequestStage.UNFINISHED;
    return now.plus(isLeft || inherited || request.afterCancel() ? settling : resync);
  }

  /**
   * When a rejected change is planned again, if nothing is known that has changed: after 1, 2, 4 …
   * 60 minutes.
   *
   * @param rejections how often it was rejected, at least once
   */
  Instant replan(int rejections, Instant now) {
    return now.plus(REPLAN.after(rejections));
  }

  Instant checkAfter(Instant now) {
    return now.plus(resync);
  }
}
