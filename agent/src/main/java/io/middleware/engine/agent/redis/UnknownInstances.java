package io.middleware.engine.agent.redis;

import io.middleware.engine.agent.redis.ReplicationState.Address;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Whom a Sentinel knows in one group although it has no such pod, and when to forget them. */
final class UnknownInstances {
  /**
   * Names of new pods may come later than their addresses; Sentinel leaves an address that is
   * primary by itself alone for 8 s.
   */
  private static final Duration AT_FIRST = Duration.ofSeconds(5);

  /** Who is heard of again is somebody after all, such as a replica from outside. */
  private static final Duration AGAIN = Duration.ofMinutes(1);

  private final Map<Address, Instant> forgetAt = new HashMap<>();

  /** Whether one of them has been there for too long. */
  boolean areDue(Set<Address> known, Instant now) {
    var first = now.plus(AT_FIRST);
    forgetAt
        .entrySet()
        .removeIf(one -> !known.contains(one.getKey()) && !one.getValue().isAfter(first));
    known.forEach(one -> forgetAt.putIfAbsent(one, first));
    return known.stream().anyMatch(one -> forgetAt.get(one).isBefore(now));
  }

  void areForgotten(Set<Address> known, Instant now) {
    known.forEach(one -> forgetAt.put(one, now.plus(AGAIN)));
  }
}
