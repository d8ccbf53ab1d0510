package io.middleware.engine.e2e.check;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.middleware.engine.e2e.Engine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/**
 * A server that checks ask: its webhook, and the part of Prometheus' API for instant queries. It
 * listens on the one port that the settings of the instance allow, so there is one at a time.
 */
final class CheckServer implements AutoCloseable {
  /** What was asked, in order. */
  final List<String> questions = new CopyOnWriteArrayList<>();

  /** Whether the webhook says that all is well. */
  volatile boolean passes = true;

  private final String host = Engine.variable("CHECK_SERVER");
  private final HttpServer server;

  CheckServer() throws IOException {
    var address = URI.create("http://" + host);
    server = HttpServer.create(new InetSocketAddress(address.getHost(), address.getPort()), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/verify", exchange -> answer(exchange, verdict()));
    server.createContext("/api/v1/query", exchange -> answer(exchange, sample()));
    server.start();
  }

  /** Its host and port. */
  String host() {
    return host;
  }

  private String verdict() {
    return passes
        ? "{\"passed\": true, \"actual\": \"serves\"}"
        : "{\"passed\": false, \"actual\": \"refuses\", \"message\": \"clients are refused\"}";
  }

  private static String sample() {
    return "{\"status\": \"success\", \"data\": {\"resultType\": \"vector\", \"result\": ["
        + "{\"metric\": {}, \"value\": [1.5, \"0.25\"]}]}}";
  }

  private void answer(HttpExchange exchange, String answer) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      questions.add(exchange.getRequestURI() + " " + URLDecoder.decode(body, UTF_8));
      var bytes = answer.getBytes(UTF_8);
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
