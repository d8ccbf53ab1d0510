package io.middleware.engine.watcher.roles;

import java.time.Duration;

/** The intervals between polls of a pod's role, in nanoseconds. */
final class RolePollIntervals {
  /** The shortest interval. */
  static final long SOON = Duration.ofMillis(500).toNanos();

  /** The interval between common polls of a group, and the delay of the first during a change. */
  static final long ROUND = Duration.ofSeconds(1).toNanos();

  /**
   * Interval of a settled primary: the longest time until a failover without readiness changes is
   * noticed.
   */
  static final long QUIET = Duration.ofSeconds(25).toNanos();

  /** Each polled pod adds this to the interval: pods of a large fleet are polled less often. */
  private static final long SPACING = Duration.ofMillis(8).toNanos();

  /**
   * Interval of replicas in a settled group: the longest time until a second primary is noticed.
   */
  static final long REPLICA = Duration.ofSeconds(20).toNanos();

  /** The same as {@link #SPACING}, for replicas: most pods are. */
  private static final long REPLICA_SPACING = Duration.ofMillis(24).toNanos();

  /** In small fleets, the longest time until a pod is asked after a start and speaks by itself. */
  private static final long FIRST = Duration.ofSeconds(2).toNanos();

  private static final long FIRST_SPACING = Duration.ofMillis(2).toNanos();

  /** Interval of pods without a role, and at most of agents that do not answer. */
  static final long SELDOM = Duration.ofMinutes(5).toNanos();

  private static final int SHARE = 3;
  private static final int DOUBLINGS = 10;

  private RolePollIntervals() {}

  /** The time in which all pods are asked first after a start, by the number of pods in all. */
  static long first(int pods) {
    return Math.clamp(pods * FIRST_SPACING, FIRST, QUIET);
  }

  /** The interval of a settled primary, by the number of pods polled in all. */
  static long quiet(int pods) {
    return Math.max(QUIET, pods * SPACING);
  }

  /** The interval of a replica in a settled group, by the number of pods polled in all. */
  static long replica(int pods) {
    return Math.clamp(pods * REPLICA_SPACING, REPLICA, SELDOM);
  }

  /**
   * A third of the time that the group is without a single primary: a new primary is noticed at
   * most a third later.
   */
  static long unsettledFor(long elapsed) {
    return Math.clamp(elapsed / SHARE, SOON, QUIET);
  }

  /** The interval doubles with each poll without an answer. */
  static long afterMisses(int misses) {
    return Math.min(SOON << Math.min(misses, DOUBLINGS), SELDOM);
  }
}
