package io.middleware.engine.cluster.status;

import java.time.Duration;

/** How durations are written in a status. */
final class StatusTexts {
  private StatusTexts() {}

  /** In the format of a spec: {@code 10m}, {@code 90s}. */
  static String duration(Duration duration) {
    if (duration.toMillisPart() != 0) {
      return duration.toMillis() + "ms";
    }
    if (duration.toSecondsPart() != 0) {
      return duration.toSeconds() + "s";
    }
    return duration.toMinutesPart() == 0 && !duration.isZero()
        ? duration.toHours() + "h"
        : duration.toMinutes() + "m";
  }
}
