package io.middleware.engine.agent;

import io.middleware.engine.agent.account.AccountFiles;
import io.middleware.engine.agent.command.CommandMode;
import io.middleware.engine.agent.redis.RedisServers;
import io.middleware.engine.agent.redis.SentinelWatch;
import io.middleware.engine.agent.server.ServedPod;
import io.middleware.engine.agent.server.ServerAddresses;
import io.middleware.engine.agent.store.StoreFiles;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;

/** The settings of the agent, from environment variables: see the README. */
sealed interface SidecarSettings {
  /** The variable with the folder of a store's settings. */
  String BACKUP_STORE = "BACKUP_STORE_FOLDER";

  /** The variable with the namespace of the pod. */
  String NAMESPACE = "POD_NAMESPACE";

  /** The variable with the folder of Redis. */
  String DATA_FOLDER = "REDIS_DATA_FOLDER";

  /** The variable with the folder of the commands. */
  String ACTIONS = "AGENT_ACTIONS_FOLDER";

  /** What these variables are for. */
  String REDIS_SERVICE = "the headless Service of the group";

  String REPLICAS_FILE = "the file with the number of pods of the group";

  /** The variable with the folder of the passwords. */
  String ACCOUNTS = "REDIS_ACCOUNTS_FOLDER";

  /** The variable with the folder, in memory, for what a restarted agent needs of them. */
  String MEMORY = "REDIS_ACCOUNTS_MEMORY";

  /** The variable with the folder of the certificates of Redis. */
  String CERTIFICATES = "REDIS_TLS_FOLDER";

  /** The folder with the certificates of every server; empty: they speak in clear. */
  Optional<Path> tls();

  /** The folder with the actions that are commands; empty: there are none. */
  Optional<Path> actions();

  /** Serves the pod it runs in; the primary is always the same pod. */
  record Fixed(
      ServerAddresses addresses,
      Optional<Path> tls,
      Optional<Path> actions,
      ServedPod pod,
      String primary)
      implements SidecarSettings {}

  /**
   * Serves the pod it runs in by the commands in a folder.
   *
   * @param service the headless Service of the group; empty: not known
   */
  record Commands(
      ServerAddresses addresses,
      Optional<Path> tls,
      ServedPod pod,
      Optional<String> service,
      CommandMode.Settings mode)
      implements SidecarSettings {
    @Override
    public Optional<Path> actions() {
      return Optional.of(mode.folder());
    }
  }

  /**
   * Serves the pod it runs in, and keeps its Redis in its group.
   *
   * @param namespace of the pod; empty: not known
   * @param service the headless Service of the group
   * @param replicas file with the number of pods of the group
   * @param accounts the passwords of every Redis of the group
   * @param certificates folder with those of Redis; empty: it speaks in clear
   * @param data the folder of Redis; empty: not mounted
   * @param backups where backups are kept
   */
  record Redis(
      ServerAddresses addresses,
      Optional<Path> tls,
      Optional<Path> actions,
      ServedPod pod,
      String namespace,
      String redisHost,
      int redisPort,
      String service,
      Path replicas,
      AccountFiles accounts,
      Optional<Path> certificates,
      Optional<Path> data,
      Optional<StoreFiles> backups)
      implements SidecarSettings {}

  /**
   * Serves the pod it runs in, and keeps its Sentinel watching.
   *
   * @param namespace of the pod; empty: not known
   * @param service the headless Service of the Sentinels
   * @param redisPort of every Redis
   * @param accounts the passwords of every Redis
   * @param certificates folder with those of Redis and Sentinels; empty: they speak in clear
   * @param config folder with what to watch
   */
  record Sentinel(
      ServerAddresses addresses,
      Optional<Path> tls,
      Optional<Path> actions,
      ServedPod pod,
      String namespace,
      String sentinelHost,
      int sentinelPort,
      String service,
      int redisPort,
      AccountFiles accounts,
      Optional<Path> certificates,
      Path config)
      implements SidecarSettings {}

  /** Throws IllegalArgumentException, which names the variable, when a value is not valid. */
  static SidecarSettings from(EnvironmentVariables env) {
    var mode = env.value("AGENT_MODE").orElse("sidecar");
    return switch (mode) {
      case "sidecar" -> fixed(env);
      case "commands" -> commands(env);
      case "redis" -> redis(env);
      case "sentinel" -> sentinel(env);
      default ->
          throw EnvironmentVariables.invalid(
              "AGENT_MODE",
              "sidecar, commands, redis, sentinel, restore or restore-commands",
              mode);
    };
  }

  private static Fixed fixed(EnvironmentVariables env) {
    var pod = pod(env);
    var primary =
        env.value("AGENT_PRIMARY").orElseGet(() -> pod.name().replaceFirst("-\\d+$", "-0"));
    return new Fixed(addresses(env), env.tlsFolder(), actions(env), pod, primary);
  }

  private static Commands commands(EnvironmentVariables env) {
    var own = CommandModeSettings.from(env);
    return new Commands(addresses(env), env.tlsFolder(), pod(env), own.service(), own.mode());
  }

  static AccountFiles accounts(EnvironmentVariables env) {
    return new AccountFiles(env.value(ACCOUNTS).map(Path::of), env.value(MEMORY).map(Path::of));
  }

  static Optional<Path> certificates(EnvironmentVariables env) {
    return env.value(CERTIFICATES).map(Path::of);
  }

  static Optional<StoreFiles> backups(EnvironmentVariables env) {
    return env.value(BACKUP_STORE).map(Path::of).map(StoreFiles::new);
  }

  private static Redis redis(EnvironmentVariables env) {
    return new Redis(
        addresses(env),
        env.tlsFolder(),
        actions(env),
        pod(env),
        env.value(NAMESPACE).orElse(""),
        env.required("REDIS_HOST", "the address of the pod"),
        env.port("REDIS_PORT", RedisServers.PORT),
        env.required("REDIS_SERVICE", REDIS_SERVICE),
        Path.of(env.required("REDIS_REPLICAS_FILE", REPLICAS_FILE)),
        accounts(env),
        certificates(env),
        env.value(DATA_FOLDER).map(Path::of),
        backups(env));
  }

  private static Sentinel sentinel(EnvironmentVariables env) {
    return new Sentinel(
        addresses(env),
        env.tlsFolder(),
        actions(env),
        pod(env),
        env.value(NAMESPACE).orElse(""),
        env.required("SENTINEL_HOST", "the address of the pod"),
        env.port("SENTINEL_PORT", SentinelWatch.PORT),
        env.required("SENTINEL_SERVICE", "the headless Service of the Sentinels"),
        env.port("REDIS_PORT", RedisServers.PORT),
        accounts(env),
        certificates(env),
        Path.of(
            env.required(
                "SENTINEL_CONFIG_FOLDER",
                "the folder with the groups to monitor and their options")));
  }

  static ServedPod pod(EnvironmentVariables env) {
    return new ServedPod(
        env.required("POD_NAME", "the name of the pod"), env.value("POD_UID").orElse(""));
  }

  private static Optional<Path> actions(EnvironmentVariables env) {
    return env.value(ACTIONS).map(Path::of);
  }

  private static ServerAddresses addresses(EnvironmentVariables env) {
    var bind = env.value("AGENT_BIND").orElse("0.0.0.0");
    return new ServerAddresses(
        new InetSocketAddress(bind, env.agentPort()),
        env.value("AGENT_PROBE_PORT")
            .map(text -> new InetSocketAddress(bind, env.port("AGENT_PROBE_PORT", 0))));
  }
}
