package io.middleware.engine.api.task;

import java.time.Duration;

/**
 * How pods of one group are replaced.
 *
 * @param batchSize pods in work at once, at least 1
 * @param interval rest between batches
 */
public record RollingPolicy(int batchSize, Duration interval) {
  public RollingPolicy {
    if (batchSize < 1) {
      throw new IllegalArgumentException("batchSize must be at least 1, was " + batchSize);
    }
    if (interval.isNegative()) {
      throw new IllegalArgumentException("interval must not be negative, was " + interval);
    }
  }
}
