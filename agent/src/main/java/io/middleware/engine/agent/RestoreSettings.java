package io.middleware.engine.agent;

import io.middleware.engine.agent.redis.RedisRestore;
import io.middleware.engine.agent.store.StoreFiles;
import java.nio.file.Path;

/**
 * The settings of a restore, from environment variables: see the README.
 *
 * @param key of the backup in the store
 * @param checksum of the backup
 * @param data the folder of Redis
 * @param config the configuration of Redis
 */
record RestoreSettings(
    String pod, StoreFiles store, String key, String checksum, Path data, Path config) {

  static boolean areIn(EnvironmentVariables env) {
    return env.value("AGENT_MODE").filter("restore"::equals).isPresent();
  }

  /** Throws IllegalArgumentException, which names the variable, when a value is missing. */
  static RestoreSettings from(EnvironmentVariables env) {
    return new RestoreSettings(
        env.required("POD_NAME", "the name of the pod"),
        new StoreFiles(
            Path.of(
                env.required(
                    SidecarSettings.BACKUP_STORE, "the folder with the settings of the store"))),
        env.required("RESTORE_KEY", "the key of the backup in its store"),
        env.required("RESTORE_CHECKSUM", "the checksum of the backup, as sha256:…"),
        Path.of(env.value("REDIS_DATA_FOLDER").orElse("/data")),
        Path.of(env.value("REDIS_CONFIG_FILE").orElse("/etc/redis/redis.conf")));
  }

  RedisRestore restore() {
    return new RedisRestore(pod, store, key, checksum, data, config);
  }
}
