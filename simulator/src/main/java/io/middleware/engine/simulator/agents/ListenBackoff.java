package io.middleware.engine.simulator.agents;

/**
 * The delay before the next attempt to listen: short at first, because addresses are freed soon.
 */
final class ListenBackoff {
  private static final long FIRST_MILLIS = 50;
  private static final long LONGEST_MILLIS = 5_000;

  private long next = FIRST_MILLIS;

  long nextMillis() {
    var now = next;
    next = Math.min(2 * now, LONGEST_MILLIS);
    return now;
  }

  void reset() {
    next = FIRST_MILLIS;
  }
}
