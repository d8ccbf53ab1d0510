package io.middleware.engine.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads settings from environment variables. An empty variable counts as not set, and so does one
 * of a Service: for a Service that is named {@code redis}, a kubelet sets {@code REDIS_PORT} to
 * {@code tcp://10.96.0.7:6379}.
 */
public record EnvironmentVariables(Map<String, String> values) {
  private static final Logger LOG = LoggerFactory.getLogger(EnvironmentVariables.class);
  private static final int DEFAULT_AGENT_PORT = 9090;
  private static final int HIGHEST_PORT = 65_535;
  private static final int BAD_SETTINGS = 2;
  private static final Pattern OF_A_SERVICE = Pattern.compile("(tcp|udp|sctp)://.*");

  private static final Pattern DURATION = Pattern.compile("([1-9][0-9]{0,8})(ms|s|m)");

  public EnvironmentVariables {
    values = Map.copyOf(values);
  }

  /** Ends this process with exit code 2 when the settings are not valid. */
  public static <T> T validOrExit(Supplier<T> settings) {
    try {
      return settings.get();
    } catch (IllegalArgumentException e) {
      LOG.error("{}", e.getMessage());
      System.exit(BAD_SETTINGS);
      throw e;
    }
  }

  public Optional<String> value(String name) {
    return Optional.ofNullable(values.get(name))
        .map(String::strip)
        .filter(text -> !text.isEmpty() && !OF_A_SERVICE.matcher(text).matches());
  }

  /**
   * @param expected what the variable is for, as the error message says
   */
  public String required(String name, String expected) {
    return value(name).orElseThrow(() -> invalid(name, expected, ""));
  }

  public int port(String name, int defaultPort) {
    var text = value(name).orElse(String.valueOf(defaultPort));
    try {
      var port = Integer.parseInt(text);
      if (port >= 0 && port <= HIGHEST_PORT) {
        return port;
      }
    } catch (NumberFormatException e) {
      throw invalid(name, "a port", text);
    }
    throw invalid(name, "a port", text);
  }

  /** A positive duration such as {@code 500ms}, {@code 1s} or {@code 2m}. */
  Duration duration(String name, Duration otherwise) {
    return value(name).map(text -> duration(name, text)).orElse(otherwise);
  }

  private static Duration duration(String name, String text) {
    var parts = DURATION.matcher(text);
    if (!parts.matches()) {
      throw invalid(name, "a duration such as 500ms, 1s or 2m", text);
    }
    var number = Long.parseLong(parts.group(1));
    return switch (parts.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      default -> Duration.ofMinutes(number);
    };
  }

  /** The port on which agents listen. */
  public int agentPort() {
    return port("AGENT_PORT", DEFAULT_AGENT_PORT);
  }

  /** The folder with the certificates of every server; empty: the servers use plain text. */
  public Optional<Path> tlsFolder() {
    return value("AGENT_TLS_FOLDER").map(Path::of);
  }

  public static IllegalArgumentException invalid(String name, String expected, String actual) {
    return new IllegalArgumentException(
        "%s must be %s, but is '%s'".formatted(name, expected, actual));
  }
}
