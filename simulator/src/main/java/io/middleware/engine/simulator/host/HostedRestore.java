package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.agent.EnvironmentVariables;
import io.middleware.engine.agent.redis.OtherPods;
import io.middleware.engine.agent.restore.RedisRestore;
import io.middleware.engine.simulator.host.HostedPod.HostContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The init container of a pod that fills the folder of its Redis from a backup.
 *
 * @param peers in the group of the pod
 */
record HostedRestore(Pod pod, Container container, HostedPeers peers, HostContext context) {

  /** Empty when the pod has no such container. */
  static Optional<HostedRestore> of(Pod pod, HostedPeers peers, HostContext context) {
    return pod.getSpec().getInitContainers().stream()
        .filter(one -> "restore".equals(ContainerCommand.environment(pod, one).get("AGENT_MODE")))
        .findFirst()
        .map(one -> new HostedRestore(pod, one, peers, context));
  }

  /** Returns what happened, for people. */
  String run() throws IOException {
    var mounts = MountedVolumes.of(pod, container, context.client(), context.settings());
    var variables = ContainerCommand.environment(pod, container);
    var env = new EnvironmentVariables(variables);
    return new RedisRestore(
            new OtherPods(HostedAgent.identity(pod, variables), peers, context.servers()),
            new HostedStore(pod, container, context.client(), context.settings()),
            path(mounts, env, "RESTORE_FILE", "/etc/redis/restore"),
            path(mounts, env, "REDIS_DATA_FOLDER", "/data"),
            path(mounts, env, "REDIS_CONFIG_FILE", "/etc/redis/redis.conf"))
        .run();
  }

  private static Path path(
      MountedVolumes mounts, EnvironmentVariables env, String name, String otherwise) {
    return Path.of(mounts.toLocalPath(env.value(name).orElse(otherwise)));
  }
}
