package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.agent.CommandModeSettings;
import io.middleware.engine.agent.EnvironmentVariables;
import io.middleware.engine.agent.account.AccountFiles;
import io.middleware.engine.agent.command.CommandMode;
import io.middleware.engine.agent.command.CommandPlace;
import io.middleware.engine.agent.command.OtherRoles;
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
import io.middleware.engine.agent.server.AgentAnswers;
import io.middleware.engine.agent.server.ReplicationAnswers;
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
 * @param answers what it does on request
 * @param interval between two runs of the maintenance
 */
record HostedAgent(PodMaintenance maintenance, AgentAnswers answers, Duration interval) {
  /** Names of the containers that can have a real process. */
  static final String REDIS = "redis";

  static final String SENTINEL = "sentinel";

  private static final Duration REDIS_INTERVAL = Duration.ofMillis(200);
  private static final Duration SENTINEL_INTERVAL = Duration.ofSeconds(1);

  /**
   * @param joined whether its Redis has already joined its group
   */
  static HostedAgent redis(Pod pod, HostedPeers peers, HostContext context, boolean joined) {
    var servers = servers(pod, context);
    var ip = pod.getStatus().getPodIP();
    var identity = identity(pod, variables(pod));
    var group = new RedisGroup(identity, ip, RedisServers.PORT, peers, servers);
    var data = data(pod, context);
    Supplier<MarkFile> mark = () -> new MarkFile(data, identity.group());
    return new HostedAgent(
        new GroupMembership(group, mark, InstantSource.system(), joined),
        new ReplicationAnswers(
            new RedisDriver(
                group, data, HostedStore.of(pod, context.client(), context.settings()))),
        REDIS_INTERVAL);
  }

  static HostedAgent sentinel(Pod pod, PodConfig config, HostContext context) {
    var name = pod.getMetadata().getName();
    var namespace = pod.getMetadata().getNamespace();
    var set = NumberedName.of(name).stem();
    var watch =
        new SentinelWatch(
            name,
            pod.getStatus().getPodIP(),
            SentinelWatch.PORT,
            () -> SentinelSettings.of(config.data()),
            new SentinelWatch.Cluster(
                service -> context.others().addresses(namespace, service),
                identity(pod, variables(pod)).namespace(),
                set,
                RedisServers.PORT,
                servers(pod, context)));
    return new HostedAgent(
        watch, new ReplicationAnswers(new SentinelDriver(watch)), SENTINEL_INTERVAL);
  }

  /** Whether a container has an agent by commands. */
  static boolean isByCommands(Pod pod, Container container) {
    return "commands".equals(ContainerCommand.environment(pod, container).get("AGENT_MODE"));
  }

  /**
   * @param container in which the commands run
   */
  static HostedAgent byCommands(Pod pod, HostedContainer container, HostContext context) {
    var env = ContainerCommand.environment(pod, container.container());
    var settings = CommandModeSettings.from(new EnvironmentVariables(env));
    var mode = settings.mode();
    var here =
        new CommandMode.Settings(
            mode.pod(),
            container.local(mode.folder()),
            mode.roleInterval(),
            mode.roleLimit(),
            mode.order(),
            HostedStore.of(pod, context.client(), context.settings()),
            new AccountFiles(mode.secrets().folder().map(container::local)));
    var namespace = pod.getMetadata().getNamespace();
    OtherRoles others =
        settings.service().isEmpty()
            ? OtherRoles.UNKNOWN
            : pods -> context.others().roles(namespace, pods);
    var place =
        CommandPlace.inside(container::variables, container::join, pod.getStatus().getPodIP());
    var commands = CommandMode.of(here, others, context.scheduler(), place);
    return new HostedAgent(commands.maintenance(), commands.answers(), mode.roleInterval());
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
    return folder(pod, "REDIS_DATA_FOLDER", context);
  }

  /** With the passwords and certificates of Redis, as the container of the agent mounts them. */
  private static RedisServers servers(Pod pod, HostContext context) {
    return context
        .servers()
        .with(accounts(pod, context))
        .by(folder(pod, "REDIS_TLS_FOLDER", context));
  }

  static AccountFiles accounts(Pod pod, HostContext context) {
    return new AccountFiles(
        folder(pod, "REDIS_ACCOUNTS_FOLDER", context),
        folder(pod, "REDIS_ACCOUNTS_MEMORY", context));
  }

  private static Optional<Path> folder(Pod pod, String variable, HostContext context) {
    return Optional.ofNullable(variables(pod).get(variable))
        .map(folder -> Path.of(mounts(pod, context).toLocalPath(folder)));
  }

  /** Writes the current files of the ConfigMaps and Secrets of its container, if it has one. */
  static void refresh(Pod pod, HostContext context) {
    container(pod).ifPresent(one -> mounts(pod, context));
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
