package io.middleware.engine.planning;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An API server that knows only Services, and another manager owns all their fields. */
final class OwnedServices implements AutoCloseable {
  private static final String KINDS =
      """
      {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "v1", "resources": [{"name":
      "services", "singularName": "service", "namespaced": true, "kind": "Service", "verbs": ["patch"]}]}
      """;
  private static final String CONFLICT =
      """
      {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Conflict", "code": 409,
      "message": "conflict with somebody"}
      """;

  /** The queries of what was applied, in order. */
  final List<String> applied = new CopyOnWriteArrayList<>();

  final KubernetesClient client;
  private final HttpServer server;

  OwnedServices() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    var config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
            .build();
    client = new KubernetesClientBuilder().withConfig(config).build();
  }

  private void answer(HttpExchange exchange) throws IOException {
    var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    if (exchange.getRequestMethod().equals("GET")) {
      answer(exchange, 200, KINDS);
      return;
    }
    var query = exchange.getRequestURI().getQuery();
    applied.add(query);
    var forced = query.contains("force=true");
    answer(exchange, forced ? 200 : 409, forced ? body : CONFLICT);
  }

  private static void answer(HttpExchange exchange, int code, String body) throws IOException {
    var bytes = body.getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, bytes.length);
    try (exchange) {
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    client.close();
    server.stop(0);
  }
}
