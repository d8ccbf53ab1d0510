package io.middleware.engine.process;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.middleware.engine.process.settings.ListenAddress;
import io.middleware.engine.process.settings.SettingsException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves /healthz (the process must be restarted if it fails), /readyz (the process can do its
 * work) and /metrics. If a check fails, the response has status 503 and names the check and its
 * reason. Connections are limited in number, and requests and responses in time: everybody in the
 * cluster's network may connect.
 */
public final class HealthServer implements AutoCloseable {
  private static final String JSON = "application/json";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(3);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  static {
    // the server reads them once, when its first instance is made; a given value wins
    limit("jdk.httpserver.maxConnections", 100);
    limit("sun.net.httpserver.maxReqTime", 5);
    limit("sun.net.httpserver.maxRspTime", 15);
    limit("sun.net.httpserver.idleInterval", 30);
    limit("sun.net.httpserver.maxIdleConnections", 20);
  }

  private final HttpServer server;
  private final ExecutorService threads;
  private final HealthSources sources;

  /** The metrics and checks that are served. */
  public record HealthSources(
      PrometheusMeterRegistry metrics, List<HealthCheck> health, List<HealthCheck> readiness) {
    public HealthSources {
      health = List.copyOf(health);
      readiness = List.copyOf(readiness);
    }
  }

  private record HttpAnswer(int status, String type, String body) {}

  private HealthServer(HttpServer server, HealthSources sources) {
    this.server = server;
    this.sources = sources;
    this.threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("health-", 0).factory());
  }

  private static void limit(String property, int value) {
    System.getProperties().putIfAbsent(property, Integer.toString(value));
  }

  /**
   * @throws SettingsException when the address cannot be listened on
   */
  public static HealthServer start(ListenAddress address, HealthSources sources) {
    try {
      var started = new HealthServer(HttpServer.create(address.socketAddress(), 0), sources);
      started.server.createContext("/", started::serve);
      started.server.setExecutor(started.threads);
      started.server.start();
      return started;
    } catch (IOException e) {
      throw new SettingsException(
          "httpAddress: cannot listen on " + address + ": " + e.getMessage());
    }
  }

  /** The port it listens on; if the settings say 0, the port that was chosen. */
  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean head = exchange.getRequestMethod().equals("HEAD");
      HttpAnswer answer =
          head || exchange.getRequestMethod().equals("GET")
              ? answer(exchange.getRequestURI().getPath())
              : new HttpAnswer(405, JSON, "{\"error\":\"only GET and HEAD are allowed\"}");
      byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", answer.type());
      exchange.sendResponseHeaders(answer.status(), head ? -1 : body.length);
      if (!head) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  private HttpAnswer answer(String path) throws IOException {
    return switch (path) {
      case "/healthz" -> result(sources.health());
      case "/readyz" -> result(sources.readiness());
      case "/metrics" -> new HttpAnswer(200, PROMETHEUS, sources.metrics().scrape());
      default ->
          new HttpAnswer(404, JSON, "{\"error\":\"not found: use /healthz, /readyz or /metrics\"}");
    };
  }

  private static HttpAnswer result(List<HealthCheck> checks) throws IOException {
    var report = HealthReport.of(checks, CHECK_TIMEOUT);
    String body = MAPPER.writeValueAsString(report.asJson());
    return new HttpAnswer(report.isHealthy() ? 200 : 503, JSON, body);
  }
}
