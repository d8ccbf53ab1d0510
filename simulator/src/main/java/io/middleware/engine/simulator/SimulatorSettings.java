package io.middleware.engine.simulator;

import io.middleware.engine.agent.EnvironmentVariables;
import io.middleware.engine.simulator.host.HostSettings;
import io.middleware.engine.simulator.host.ImagePrograms;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The settings of the simulator, from environment variables: see the README.
 *
 * @param port of every simulated agent
 * @param tls the folder with the certificates of every agent; empty: the agents use plain text
 * @param namespaces empty: all of them
 * @param host what runs real processes for the pods that ask for one; empty: these pods are
 *     simulated too
 */
record SimulatorSettings(
    int port, Optional<Path> tls, List<String> namespaces, Optional<HostSettings> host) {
  SimulatorSettings {
    namespaces = List.copyOf(namespaces);
  }

  /** Throws IllegalArgumentException, which names the variable, when a value is not valid. */
  static SimulatorSettings from(EnvironmentVariables env) {
    return new SimulatorSettings(env.agentPort(), env.tlsFolder(), namespaces(env), host(env));
  }

  private static List<String> namespaces(EnvironmentVariables env) {
    return Stream.of(env.value("SIMULATOR_NAMESPACES").orElse("").split(",", -1))
        .map(String::strip)
        .filter(namespace -> !namespace.isEmpty())
        .distinct()
        .toList();
  }

  private static Optional<HostSettings> host(EnvironmentVariables env) {
    return env.value("HOST_REDIS_SERVER").map(program -> host(env, Path.of(program)));
  }

  private static HostSettings host(EnvironmentVariables env, Path program) {
    if (!program.isAbsolute() || !program.endsWith("redis-server")) {
      // containers call the program by this name
      throw EnvironmentVariables.invalid(
          "HOST_REDIS_SERVER", "an absolute path to a redis-server", program.toString());
    }
    return new HostSettings(
        program,
        Path.of(env.required("HOST_FOLDER", "the folder for the files of the pods")),
        programs(env.value("HOST_PROGRAMS").orElse("")),
        env.value("HOST_ROOTS").map(Boolean::parseBoolean).orElse(true));
  }

  private static ImagePrograms programs(String text) {
    try {
      return ImagePrograms.parse(text);
    } catch (IllegalArgumentException e) {
      throw EnvironmentVariables.invalid(
          "HOST_PROGRAMS",
          "pairs IMAGE:TAG=/FOLDER of different images, separated by commas",
          text);
    }
  }
}
