package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.driver.PodMaintenance;
import io.middleware.engine.agent.order.NumberedName;
import io.middleware.engine.agent.redis.GroupMembership;
import io.middleware.engine.agent.redis.RedisDriver;
import io.middleware.engine.agent.redis.RedisGroup;
import io.middleware.engine.agent.redis.RedisServers;
import io.middleware.engine.agent.redis.SentinelDriver;
import io.middleware.engine.agent.redis.SentinelSettings;
import io.middleware.engine.agent.redis.SentinelWatch;
import io.middleware.engine.agent.redis.ServiceAddresses;
import java.time.Duration;

/**
 * What the agent of a hosted pod does of itself, and what it does when it is asked.
 *
 * @param pause between two looks
 */
record HostedAgent(PodMaintenance upkeep, Driver driver, Duration pause) {
  /** Containers with a process here, by their names. */
  static final String REDIS = "redis";

  static final String SENTINEL = "sentinel";

  private static final Duration REDIS_PAUSE = Duration.ofMillis(200);
  private static final Duration SENTINEL_PAUSE = Duration.ofSeconds(1);

  /**
   * @param joined whether its Redis is known to have joined its group before
   */
  static HostedAgent redis(
      Pod pod, ObservedPods seen, PodConfig config, RedisServers servers, boolean joined) {
    var peers = new HostedPeers(seen, config, RedisServers.PORT);
    var ip = pod.getStatus().getPodIP();
    var group = new RedisGroup(pod.getMetadata().getName(), ip, RedisServers.PORT, peers, servers);
    return new HostedAgent(new GroupMembership(group, joined), new RedisDriver(group), REDIS_PAUSE);
  }

  static HostedAgent sentinel(
      Pod pod, PodConfig config, RedisServers servers, ServiceAddresses addresses) {
    var name = pod.getMetadata().getName();
    var set = NumberedName.of(name).stem();
    var watch =
        new SentinelWatch(
            name,
            pod.getStatus().getPodIP(),
            SentinelWatch.PORT,
            () -> SentinelSettings.of(config.data()),
            new SentinelWatch.Cluster(addresses, set, RedisServers.PORT, servers));
    return new HostedAgent(watch, new SentinelDriver(watch), SENTINEL_PAUSE);
  }
}
