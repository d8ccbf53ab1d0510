package io.middleware.engine.agent;

import io.middleware.engine.agent.account.AccountFiles;
import io.middleware.engine.agent.redis.DnsPeers;
import io.middleware.engine.agent.redis.OtherPods;
import io.middleware.engine.agent.redis.RedisIdentity;
import io.middleware.engine.agent.redis.RedisServers;
import io.middleware.engine.agent.restore.RedisRestore;
import io.middleware.engine.agent.store.StoreFiles;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings of a restore, from environment variables: see the README.
 *
 * @param namespace of the pod; empty: not known
 * @param group with the pod to fill
 * @param request the file that names the backup
 * @param data the folder of Redis
 * @param config the configuration of Redis
 */
record RestoreSettings(
    String namespace,
    DnsPeers group,
    AccountFiles accounts,
    Optional<Path> certificates,
    StoreFiles store,
    Path request,
    Path data,
    Path config)
    implements StartRestore {

  static boolean areIn(EnvironmentVariables env) {
    return env.value("AGENT_MODE").filter("restore"::equals).isPresent();
  }

  /** Throws IllegalArgumentException, which names the variable, when a value is missing. */
  static RestoreSettings from(EnvironmentVariables env) {
    return new RestoreSettings(
        env.value(SidecarSettings.NAMESPACE).orElse(""),
        new DnsPeers(
            env.required("POD_NAME", "the name of the pod"),
            env.required("REDIS_SERVICE", SidecarSettings.REDIS_SERVICE),
            env.port("REDIS_PORT", RedisServers.PORT),
            Path.of(env.required("REDIS_REPLICAS_FILE", SidecarSettings.REPLICAS_FILE))),
        SidecarSettings.accounts(env),
        SidecarSettings.certificates(env),
        new StoreFiles(
            Path.of(
                env.required(
                    SidecarSettings.BACKUP_STORE, "the folder with the settings of the store"))),
        file(env, "RESTORE_FILE", "/etc/redis/restore"),
        file(env, SidecarSettings.DATA_FOLDER, "/data"),
        file(env, "REDIS_CONFIG_FILE", "/etc/redis/redis.conf"));
  }

  private static Path file(EnvironmentVariables env, String name, String otherwise) {
    return Path.of(env.value(name).orElse(otherwise));
  }

  @Override
  public String restore() {
    try (var servers = new RedisServers().with(accounts).by(certificates)) {
      var others = new OtherPods(new RedisIdentity(namespace, group.pod(), ""), group, servers);
      return new RedisRestore(others, store, request, data, config).run();
    }
  }
}
