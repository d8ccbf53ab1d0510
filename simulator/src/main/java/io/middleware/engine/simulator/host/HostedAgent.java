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
import io.middleware.engine.simulator.host.HostedPod.HostContext;
import java.time.Duration;

/**
 * The agent of a hosted pod.
 *
 * @param maintenance what it does periodically
 * @param driver what it does on request
 * @param interval between two runs of the maintenance
 */
record HostedAgent(PodMaintenance maintenance, Driver driver, Duration interval) {
  /** Names of the containers that can have a real process. */
  static final String REDIS = "redis";

  static final String SENTINEL = "sentinel";

  private static final Duration REDIS_INTERVAL = Duration.ofMillis(200);
  private static final Duration SENTINEL_INTERVAL = Duration.ofSeconds(1);

  /**
   * @param joined whether its Redis has already joined its group
   */
  static HostedAgent redis(Pod pod, HostedPeers peers, HostContext context, boolean joined) {
    var servers = context.servers();
    var ip = pod.getStatus().getPodIP();
    var group = new RedisGroup(pod.getMetadata().getName(), ip, RedisServers.PORT, peers, servers);
    return new HostedAgent(
        new GroupMembership(group, joined),
        new RedisDriver(group, HostedStore.of(pod, context.client(), context.settings())),
        REDIS_INTERVAL);
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
    return new HostedAgent(watch, new SentinelDriver(watch), SENTINEL_INTERVAL);
  }
}
