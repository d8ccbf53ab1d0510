package io.middleware.engine.watcher.roles;

import java.time.Duration;

/** How long to wait before a pod is asked for its role again, in nanoseconds. */
final class RolePollIntervals {
  /** The least. */
  static final long SOON = Duration.ofMillis(500).toNanos();

  /** Between two times that all pods of a group are asked; so long a change is let go on first. */
  static final long ROUND = Duration.ofSeconds(1).toNanos();

  /** While nothing moves: so late at most is a failover seen that no pod's readiness shows. */
  static final long QUIET = Duration.ofSeconds(25).toNanos();

  /** Each pod makes all others wait this much longer: a large fleet is asked more seldom. */
  private static final long SPACING = Duration.ofMillis(8).toNanos();

  /** When there is nothing to learn, or nobody to learn it from. */
  static final long SELDOM = Duration.ofMinutes(5).toNanos();

  private static final int SHARE = 3;
  private static final int DOUBLINGS = 10;

  private RolePollIntervals() {}

  /** Of the primary of a group that has settled, where so many pods are to be asked in all. */
  static long quiet(int pods) {
    return Math.max(QUIET, pods * SPACING);
  }

  /** The longer a group looks for its primary, the more seldom; seen a third later at most. */
  static long unsettledFor(long elapsed) {
    return Math.clamp(elapsed / SHARE, SOON, QUIET);
  }

  /** Doubled with each question without an answer. */
  static long afterMisses(int misses) {
    return Math.min(SOON << Math.min(misses, DOUBLINGS), SELDOM);
  }
}
