package io.middleware.engine.agent;

import io.middleware.engine.agent.host.HostSettings;
import io.middleware.engine.agent.redis.RedisServers;
import io.middleware.engine.agent.redis.SentinelWatch;
import io.middleware.engine.agent.server.Addresses;
import io.middleware.engine.agent.server.ServedPod;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What the process is told by its environment; see the README for the variables. */
sealed interface AgentSettings {
  int DEFAULT_PORT = 9090;
  int HIGHEST_PORT = 65_535;

  /** The folder with the certificates of every server; empty: they speak in clear. */
  Optional<Path> tls();

  /**
   * Serves all simulated pods of a cluster.
   *
   * @param namespaces none: all of them
   * @param host what runs real processes for pods that want one; empty: they are simulated too
   */
  record Local(int port, Optional<Path> tls, List<String> namespaces, Optional<HostSettings> host)
      implements AgentSettings {
    public Local {
      namespaces = List.copyOf(namespaces);
    }
  }

  /** Serves the pod it runs in. */
  record Sidecar(Addresses addresses, Optional<Path> tls, ServedPod pod, String primary)
      implements AgentSettings {}

  /**
   * Serves the pod it runs in, and keeps its Redis in its group.
   *
   * @param service the headless Service of the group
   * @param replicas file with the number of pods of the group
   */
  record Redis(
      Addresses addresses,
      Optional<Path> tls,
      ServedPod pod,
      String redisHost,
      int redisPort,
      String service,
      Path replicas)
      implements AgentSettings {}

  /**
   * Serves the pod it runs in, and keeps its Sentinel watching.
   *
   * @param service the headless Service of the Sentinels
   * @param redisPort of every Redis
   * @param config folder with what to watch
   */
  record Sentinel(
      Addresses addresses,
      Optional<Path> tls,
      ServedPod pod,
      String sentinelHost,
      int sentinelPort,
      String service,
      int redisPort,
      Path config)
      implements AgentSettings {}

  /** Throws IllegalArgumentException, which names the variable, when a value is wrong. */
  static AgentSettings from(Map<String, String> env) {
    var mode = value(env, "AGENT_MODE").orElse("sidecar");
    return switch (mode) {
      case "local" ->
          new Local(port(env, "AGENT_PORT", DEFAULT_PORT), tls(env), namespaces(env), host(env));
      case "sidecar" -> sidecar(env);
      case "redis" -> redis(env);
      case "sentinel" -> sentinel(env);
      default -> throw wrong("AGENT_MODE", "local, sidecar, redis or sentinel", mode);
    };
  }

  private static Sidecar sidecar(Map<String, String> env) {
    var pod = pod(env);
    var primary =
        value(env, "AGENT_PRIMARY").orElseGet(() -> pod.name().replaceFirst("-\\d+$", "-0"));
    return new Sidecar(addresses(env), tls(env), pod, primary);
  }

  private static Redis redis(Map<String, String> env) {
    return new Redis(
        addresses(env),
        tls(env),
        pod(env),
        required(env, "REDIS_HOST", "the address of the pod"),
        port(env, "REDIS_PORT", RedisServers.PORT),
        required(env, "REDIS_SERVICE", "the headless Service of the group"),
        Path.of(
            required(env, "REDIS_REPLICAS_FILE", "the file with the number of pods of the group")));
  }

  private static Sentinel sentinel(Map<String, String> env) {
    return new Sentinel(
        addresses(env),
        tls(env),
        pod(env),
        required(env, "SENTINEL_HOST", "the address of the pod"),
        port(env, "SENTINEL_PORT", SentinelWatch.PORT),
        required(env, "SENTINEL_SERVICE", "the headless Service of the Sentinels"),
        port(env, "REDIS_PORT", RedisServers.PORT),
        Path.of(required(env, "SENTINEL_CONFIG_FOLDER", "the folder with what to watch")));
  }

  private static Optional<HostSettings> host(Map<String, String> env) {
    return value(env, "HOST_REDIS_SERVER").map(program -> host(env, Path.of(program)));
  }

  private static HostSettings host(Map<String, String> env, Path program) {
    if (!program.isAbsolute() || !program.endsWith("redis-server")) {
      // containers call it by this name
      throw wrong("HOST_REDIS_SERVER", "an absolute path to a redis-server", program.toString());
    }
    return new HostSettings(
        program, Path.of(required(env, "HOST_FOLDER", "the folder for the pods' files")));
  }

  private static ServedPod pod(Map<String, String> env) {
    return new ServedPod(
        required(env, "POD_NAME", "the name of the pod"), value(env, "POD_UID").orElse(""));
  }

  private static Addresses addresses(Map<String, String> env) {
    var bind = value(env, "AGENT_BIND").orElse("0.0.0.0");
    return new Addresses(
        new InetSocketAddress(bind, port(env, "AGENT_PORT", DEFAULT_PORT)),
        value(env, "AGENT_PROBE_PORT")
            .map(text -> new InetSocketAddress(bind, port(env, "AGENT_PROBE_PORT", 0))));
  }

  private static Optional<Path> tls(Map<String, String> env) {
    return value(env, "AGENT_TLS_FOLDER").map(Path::of);
  }

  private static int port(Map<String, String> env, String name, int usual) {
    var text = value(env, name).orElse(String.valueOf(usual));
    try {
      var port = Integer.parseInt(text);
      if (port >= 0 && port <= HIGHEST_PORT) {
        return port;
      }
    } catch (NumberFormatException e) {
      throw wrong(name, "a port", text);
    }
    throw wrong(name, "a port", text);
  }

  private static List<String> namespaces(Map<String, String> env) {
    return Stream.of(value(env, "AGENT_NAMESPACES").orElse("").split(",", -1))
        .map(String::strip)
        .filter(namespace -> !namespace.isEmpty())
        .distinct()
        .toList();
  }

  private static String required(Map<String, String> env, String name, String wanted) {
    return value(env, name).orElseThrow(() -> wrong(name, wanted, ""));
  }

  private static Optional<String> value(Map<String, String> env, String name) {
    return Optional.ofNullable(env.get(name)).map(String::strip).filter(text -> !text.isEmpty());
  }

  private static IllegalArgumentException wrong(String name, String wanted, String given) {
    return new IllegalArgumentException("%s must be %s, is '%s'".formatted(name, wanted, given));
  }
}
