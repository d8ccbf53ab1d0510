package io.middleware.engine.agent.redis;

import io.middleware.engine.agent.redis.ReplicationState.Address;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Addresses that a Sentinel knows in one group although no pod has them, and when to reset them.
 */
final class UnknownInstances {
  /**
   * The DNS names of new pods may appear later than their addresses; Sentinel leaves an address
   * that is primary by itself alone for 8 s.
   */
  private static final Duration FIRST_DELAY = Duration.ofSeconds(5);

  /** An address that Sentinel rediscovers after a reset is real, such as an external replica. */
  private static final Duration REPEAT_DELAY = Duration.ofMinutes(1);

  private final Map<Address, Instant> resetAt = new HashMap<>();

  /** Whether any of the addresses has been unknown for too long. */
  boolean isResetDue(Set<Address> unknown, Instant now) {
    var first = now.plus(FIRST_DELAY);
    resetAt
        .entrySet()
        .removeIf(one -> !unknown.contains(one.getKey()) && !one.getValue().isAfter(first));
    unknown.forEach(one -> resetAt.putIfAbsent(one, first));
    return unknown.stream().anyMatch(one -> resetAt.get(one).isBefore(now));
  }

  /** Whether one of the addresses has not been reset for a minute. */
  boolean areNew(Set<Address> strangers, Instant now) {
    return strangers.stream()
        .map(one -> resetAt.getOrDefault(one, now))
        .anyMatch(due -> !due.isAfter(now.plus(FIRST_DELAY)));
  }

  void resetDone(Set<Address> unknown, Instant now) {
    unknown.forEach(one -> resetAt.put(one, now.plus(REPEAT_DELAY)));
  }
}
