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
 * Answers /healthz (restart me when it fails), /readyz (I can do my work) and /metrics. A failed
 * check makes the answer 503 and is named in it with its reason.
 */
public final class HealthServer implements AutoCloseable {
  private static final String JSON = "application/json";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final HttpServer server;
  private final ExecutorService threads;
  private final HealthSources signs;

  /** What it speaks of. */
  public record HealthSources(
      PrometheusMeterRegistry metrics, List<HealthCheck> health, List<HealthCheck> readiness) {
    public HealthSources {
      health = List.copyOf(health);
      readiness = List.copyOf(readiness);
    }
  }

  private record Answer(int status, String type, String body) {}

  private HealthServer(HttpServer server, HealthSources signs) {
    this.server = server;
    this.signs = signs;
    this.threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("life-", 0).factory());
  }

  /**
   * @throws SettingsException when the address cannot be listened on
   */
  public static HealthServer start(ListenAddress address, HealthSources signs) {
    try {
      var started = new HealthServer(HttpServer.create(address.socketAddress(), 0), signs);
      started.server.createContext("/", started::serve);
      started.server.setExecutor(started.threads);
      started.server.start();
      return started;
    } catch (IOException e) {
      throw new SettingsException(
          "httpAddress: cannot listen on " + address + ": " + e.getMessage());
    }
  }

  /** The port it listens on, also when any free one was asked for. */
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
      Answer answer =
          head || exchange.getRequestMethod().equals("GET")
              ? answer(exchange.getRequestURI().getPath())
              : new Answer(405, JSON, "{\"error\":\"only GET\"}");
      byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", answer.type());
      exchange.sendResponseHeaders(answer.status(), head ? -1 : body.length);
      if (!head) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  private Answer answer(String path) throws IOException {
    return switch (path) {
      case "/healthz" -> found(signs.health());
      case "/readyz" -> found(signs.readiness());
      case "/metrics" -> new Answer(200, PROMETHEUS, signs.metrics().scrape());
      default -> new Answer(404, JSON, "{\"error\":\"try /healthz, /readyz or /metrics\"}");
    };
  }

  private static Answer found(List<HealthCheck> checks) throws IOException {
    var findings = HealthReport.of(checks, PATIENCE);
    String body = MAPPER.writeValueAsString(findings.asJson());
    return new Answer(findings.good() ? 200 : 503, JSON, body);
  }
}
