package io.middleware.engine.agent.redis;

import io.middleware.engine.agent.redis.ReplicationState.Address;
import io.middleware.engine.agent.redis.SentinelServer.KnownInstance;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

  private static final Logger LOG = LoggerFactory.getLogger(UnknownInstances.class);

  private final Map<Address, Instant> resetAt = new HashMap<>();
  private final String group;

  UnknownInstances(String group) {
    this.group = group;
  }

  /**
   * Makes Sentinel forget them when it is time.
   *
   * @param sentinels the hosts of all Sentinels
   */
  void resetDue(
      SentinelServer sentinel, ObservedGroup observed, Set<String> sentinels, Instant now) {
    var replicas = new HashSet<Address>();
    sentinel.replicas(group).forEach(one -> replicas.add(one.address()));
    var strangers = new HashSet<>(replicas);
    strangers.retainAll(observed.strangers());
    var unknown = new HashSet<>(replicas);
    unknown.removeAll(observed.present());
    unknown.addAll(strangers);
    sentinel.otherSentinels(group).stream()
        .map(KnownInstance::address)
        .filter(one -> !sentinels.contains(one.host()))
        .forEach(unknown::add);
    var isDue = isResetDue(unknown, now);
    if (areNew(strangers, now) || isDue && observed.isComplete()) {
      LOG.atInfo()
          .addKeyValue("sentinel", sentinel.address())
          .addKeyValue("group", group)
          .addKeyValue("unknown", unknown)
          .addKeyValue("strangers", strangers)
          .log("resetting Sentinel: it knows instances that do not belong to the group");
      sentinel.reset(group);
      resetDone(unknown, now);
    }
  }

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
