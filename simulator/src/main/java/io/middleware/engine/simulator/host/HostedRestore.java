package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.agent.EnvironmentVariables;
import io.middleware.engine.agent.account.AccountFiles;
import io.middleware.engine.agent.redis.OtherPods;
import io.middleware.engine.agent.restore.RedisRestore;
import io.middleware.engine.simulator.host.HostedPod.HostContext;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The init container of a pod that fills it from a backup, before its middleware starts.
 *
 * @param peers in the group of the pod
 */
record HostedRestore(Pod pod, Container container, HostedPeers peers, HostContext context) {

  /** Returns what happened, for people. */
  String run() throws IOException {
    var mounts = MountedVolumes.of(pod, container, context.client(), context.settings());
    var variables = ContainerCommand.environment(pod, container);
    var env = new EnvironmentVariables(variables);
    var accounts = env.value("REDIS_ACCOUNTS_FOLDER").map(mounts::toLocalPath).map(Path::of);
    var tls = env.value("REDIS_TLS_FOLDER").map(mounts::toLocalPath).map(Path::of);
    var servers = context.servers().with(new AccountFiles(accounts)).by(tls);
    return new RedisRestore(
            new OtherPods(HostedAgent.identity(pod, variables), peers, servers),
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
