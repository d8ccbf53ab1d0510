package io.middleware.engine.watcher;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Time that passes when the test says so. */
public final class FakeClock implements InstantSource {
  private Instant now = Instant.parse("2026-11-21T10:00:00Z");

  @Override
  public Instant instant() {
    return now;
  }

  public void pass(Duration time) {
    now = now.plus(time);
  }
}
