package io.middleware.engine.process.trace;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.resource.v1.Resource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Takes spans by OTLP, as a collector does, and keeps them. */
public final class TraceCollector implements AutoCloseable {
  private final List<CollectedSpan> spans = new CopyOnWriteArrayList<>();
  private final HttpServer server;

  /**
   * A span, with its ids in hexadecimal.
   *
   * @param parent id of its parent; empty for the first of a trace
   */
  public record CollectedSpan(
      String service, String name, String trace, String id, String parent, boolean failed) {}

  /** Listens on a port of this machine. */
  public TraceCollector() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/traces", this::take);
    server.start();
  }

  /** With which a process sends its spans here, soon. */
  public Map<String, String> environment() {
    return environment(server.getAddress().getPort());
  }

  /** The same for another port, at which there may be no collector. */
  public static Map<String, String> environment(int port) {
    return Map.of(
        "OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:" + port, "OTEL_BSP_SCHEDULE_DELAY", "50");
  }

  public List<CollectedSpan> spans() {
    return List.copyOf(spans);
  }

  /** The spans whose name begins with this. */
  public List<CollectedSpan> spans(String name) {
    return spans.stream().filter(span -> span.name().startsWith(name)).toList();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      var request = ExportTraceServiceRequest.parseFrom(exchange.getRequestBody());
      for (var resource : request.getResourceSpansList()) {
        for (var scope : resource.getScopeSpansList()) {
          scope.getSpansList().stream()
              .map(span -> collected(service(resource.getResource()), span))
              .forEach(spans::add);
        }
      }
      exchange.sendResponseHeaders(200, -1);
    }
  }

  private static CollectedSpan collected(
      String service, io.opentelemetry.proto.trace.v1.Span span) {
    return new CollectedSpan(
        service,
        span.getName(),
        hex(span.getTraceId()),
        hex(span.getSpanId()),
        hex(span.getParentSpanId()),
        span.getStatus().getCode()
            == io.opentelemetry.proto.trace.v1.Status.StatusCode.STATUS_CODE_ERROR);
  }

  private static String service(Resource resource) {
    return resource.getAttributesList().stream()
        .filter(attribute -> attribute.getKey().equals("service.name"))
        .map(attribute -> attribute.getValue().getStringValue())
        .findFirst()
        .orElseThrow();
  }

  private static String hex(Iterable<Byte> id) {
    var hex = new StringBuilder();
    id.forEach(octet -> hex.append(HexFormat.of().toHexDigits(octet)));
    return hex.toString();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
