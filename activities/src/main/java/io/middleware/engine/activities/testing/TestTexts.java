package io.middleware.engine.activities.testing;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** How times and long messages are written in the statuses of tests. */
public final class TestTexts {
  private TestTexts() {}

  public static String time(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /**
   * At most this many characters.
   *
   * @param text may be null
   */
  public static String cut(String text, int longest) {
    return text == null || text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
  }
}
