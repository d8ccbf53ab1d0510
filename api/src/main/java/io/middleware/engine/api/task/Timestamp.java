package io.middleware.engine.api.task;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** A time as it is written in an object on the API server. */
public final class Timestamp {
  private Timestamp() {}

  /** In RFC 3339, to the second, such as {@code 2026-11-27T03:00:00Z}. */
  public static String of(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
