package io.middleware.engine.activities.status;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** How times, durations and long messages are written in a status. */
final class StatusTexts {
  private static final int ELLIPSIS_BYTES = 3;

  private StatusTexts() {}

  static String time(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

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

  /**
   * @param longest in bytes of UTF-8, at least 3
   */
  static String cut(String text, int longest) {
    if (text.getBytes(UTF_8).length <= longest) {
      return text;
    }
    var end = Math.min(text.length(), longest);
    while (text.substring(0, end).getBytes(UTF_8).length > longest - ELLIPSIS_BYTES
        || Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(0, end) + "…";
  }
}
