package io.middleware.engine.activities.backup;

import io.temporal.activity.Activity;
import java.time.Duration;
import java.time.Instant;

/** How long a copy may still take. */
@FunctionalInterface
interface CopyTimeLimit {
  /** Agents count in seconds, and zero is no limit. */
  Duration SHORTEST = Duration.ofSeconds(1);

  /**
   * @param otherwise the answer when nobody knows
   */
  Duration remaining(Duration otherwise);

  /** That of the activity that the calling thread executes, over all its attempts. */
  static CopyTimeLimit ofActivity() {
    return otherwise -> {
      var info = Activity.getExecutionContext().getInfo();
      var limit = info.getScheduleToCloseTimeout();
      if (limit == null || limit.isZero()) {
        return otherwise;
      }
      var end = Instant.ofEpochMilli(info.getScheduledTimestamp()).plus(limit);
      var left = Duration.between(Instant.now(), end).minus(CopyRemoval.KILL_TIMEOUT);
      return left.compareTo(SHORTEST) < 0 ? SHORTEST : left;
    };
  }
}
