package io.middleware.engine.activities.backup;

import io.temporal.activity.Activity;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** How long an agent may still copy a group. */
@FunctionalInterface
interface CopyTimeLimit {
  /** Agents count in seconds, and zero would mean no limit. */
  Duration SHORTEST = Duration.ofSeconds(1);

  /** Of the whole time, this part at most is kept for an action to end in: a quarter. */
  int SHARE_OF_THE_END = 4;

  /**
   * An agent that stops then has ended before the copies are discarded.
   *
   * @param otherwise the answer when the limit is unknown
   * @return zero or less when it is over
   */
  Duration remaining(Duration otherwise);

  /**
   * That of the activity that the calling thread executes, over all its attempts.
   *
   * @param clock Temporal's
   */
  static CopyTimeLimit ofActivity(InstantSource clock) {
    return otherwise -> {
      var info = Activity.getExecutionContext().getInfo();
      var limit = info.getScheduleToCloseTimeout();
      if (limit == null || limit.isZero()) {
        return otherwise;
      }
      var end = Instant.ofEpochMilli(info.getScheduledTimestamp()).plus(limit);
      return Duration.between(clock.instant(), end).minus(forTheEnd(limit));
    };
  }

  private static Duration forTheEnd(Duration limit) {
    var share = limit.dividedBy(SHARE_OF_THE_END);
    return share.compareTo(CopyRemoval.KILL_TIMEOUT) < 0 ? share : CopyRemoval.KILL_TIMEOUT;
  }
}
