package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.driver.PodMaintenance;
import io.middleware.engine.agent.order.NumberedName;
import io.middleware.engine.agent.redis.GroupMembership;
import io.middleware.engine.agent.redis.MarkFile;
import io.middleware.engine.agent.redis.RedisDriver;
import io.middleware.engine.agent.redis.RedisGroup;
import io.middleware.engine.agent.redis.RedisIdentity;
import io.middleware.engine.agent.redis.RedisServers;
import io.middleware.engine.agent.redis.SentinelDriver;
import io.middleware.engine.agent.redis.SentinelSettings;
import io.middleware.engine.agent.redis.SentinelWatch;
import io.middleware.engine.agent.redis.ServiceAddresses;
import io.middleware.engine.simulator.host.HostedPod.HostContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

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
    var identity = identity(pod, variables(pod));
    var group = new RedisGroup(identity, ip, RedisServers.PORT, peers, servers);
    var data = data(pod, context);
    Supplier<MarkFile> mark = () -> new MarkFile(data, identity.group());
    return new HostedAgent(
        new GroupMembership(group, mark, InstantSource.system(), joined),
        new RedisDriver(group, data, HostedStore.of(pod, context.client(), context.settings())),
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
            new SentinelWatch.Cluster(
                addresses,
                identity(pod, variables(pod)).namespace(),
                set,
                RedisServers.PORT,
                servers));
    return new HostedAgent(watch, new SentinelDriver(watch), SENTINEL_INTERVAL);
  }

  /** As the variables of a container with an agent say. */
  static RedisIdentity identity(Pod pod, Map<String, String> variables) {
    return new RedisIdentity(
        variables.getOrDefault("POD_NAMESPACE", ""),
        pod.getMetadata().getName(),
        pod.getMetadata().getUid());
  }

  private static Optional<Container> container(Pod pod) {
    return pod.getSpec().getContainers().stream()
        .filter(one -> one.getName().equals("agent"))
        .findFirst();
  }

  private static Map<String, String> variables(Pod pod) {
    return container(pod).map(agent -> ContainerCommand.environment(pod, agent)).orElse(Map.of());
  }

  /** The folder of Redis, where the container of the agent names and mounts it. */
  private static Optional<Path> data(Pod pod, HostContext context) {
    return Optional.ofNullable(variables(pod).get("REDIS_DATA_FOLDER"))
        .map(folder -> Path.of(mounts(pod, context).toLocalPath(folder)));
  }

  private static MountedVolumes mounts(Pod pod, HostContext context) {
    try {
      return MountedVolumes.of(
          pod, container(pod).orElseThrow(), context.client(), context.settings());
    } catch (IOException e) {
      throw new UncheckedIOException("mount the volumes of " + pod.getMetadata().getName(), e);
    }
  }
}
