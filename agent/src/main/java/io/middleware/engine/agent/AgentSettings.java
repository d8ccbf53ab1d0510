package io.middleware.engine.agent;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What the process is told by its environment; see the README for the variables. */
sealed interface AgentSettings {
  int DEFAULT_PORT = 9090;
  int HIGHEST_PORT = 65_535;

  /** Serves all simulated pods of a cluster; no namespaces: all of them. */
  record Local(int port, List<String> namespaces) implements AgentSettings {
    public Local {
      namespaces = List.copyOf(namespaces);
    }
  }

  /** Serves the pod it runs in. */
  record Sidecar(int port, String bind, String pod, String primary) implements AgentSettings {}

  /** Throws IllegalArgumentException, which names the variable, when a value is wrong. */
  static AgentSettings from(Map<String, String> env) {
    var mode = value(env, "AGENT_MODE").orElse("sidecar");
    return switch (mode) {
      case "local" -> new Local(port(env), namespaces(env));
      case "sidecar" -> sidecar(env);
      default -> throw wrong("AGENT_MODE", "local or sidecar", mode);
    };
  }

  private static Sidecar sidecar(Map<String, String> env) {
    var pod =
        value(env, "POD_NAME").orElseThrow(() -> wrong("POD_NAME", "the name of the pod", ""));
    var primary = value(env, "AGENT_PRIMARY").orElseGet(() -> pod.replaceFirst("-\\d+$", "-0"));
    return new Sidecar(port(env), value(env, "AGENT_BIND").orElse("0.0.0.0"), pod, primary);
  }

  private static int port(Map<String, String> env) {
    var text = value(env, "AGENT_PORT").orElse(String.valueOf(DEFAULT_PORT));
    try {
      var port = Integer.parseInt(text);
      if (port >= 0 && port <= HIGHEST_PORT) {
        return port;
      }
    } catch (NumberFormatException e) {
      throw wrong("AGENT_PORT", "a port", text);
    }
    throw wrong("AGENT_PORT", "a port", text);
  }

  private static List<String> namespaces(Map<String, String> env) {
    return Stream.of(value(env, "AGENT_NAMESPACES").orElse("").split(",", -1))
        .map(String::strip)
        .filter(namespace -> !namespace.isEmpty())
        .distinct()
        .toList();
  }

  private static Optional<String> value(Map<String, String> env, String name) {
    return Optional.ofNullable(env.get(name)).map(String::strip).filter(text -> !text.isEmpty());
  }

  private static IllegalArgumentException wrong(String name, String wanted, String given) {
    return new IllegalArgumentException("%s must be %s, is '%s'".formatted(name, wanted, given));
  }
}
