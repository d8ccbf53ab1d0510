package io.middleware.engine.process;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.process.settings.ListenAddress;
import io.middleware.engine.process.settings.SettingsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HealthServerTest {
  private static final ListenAddress ANY_PORT = new ListenAddress("127.0.0.1", 0);

  private final AtomicReference<String> trouble = new AtomicReference<>();
  private final HealthCheck temporal =
      HealthCheck.of("temporal", () -> Optional.ofNullable(trouble.get()));
  private final HealthCheck informers =
      HealthCheck.of(
          "informers",
          () -> {
            throw new IllegalStateException("stopped");
          });
  private final ProcessMetrics metrics = new ProcessMetrics();
  private HealthServer server;

  @AfterEach
  void close() {
    server.close();
    metrics.close();
  }

  @Test
  void shouldAnswerReadyWhileAllChecksAreGood() throws Exception {
    // Given
    start(List.of(), List.of(temporal));
    // When
    var answer = get("/readyz");
    // Then
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("{\"ok\":true,\"checks\":{\"temporal\":{\"ok\":true}}}");
  }

  @Test
  void shouldNameTheFailedCheckAndItsReason() throws Exception {
    // Given
    trouble.set("connection refused");
    start(List.of(), List.of(temporal, informers));
    // When
    var answer = get("/readyz");
    // Then
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body())
        .contains("\"ok\":false", "\"reason\":\"connection refused\"")
        .contains("\"reason\":\"java.lang.IllegalStateException: stopped\"");
  }

  @Test
  void shouldNotCallGoodWhatIsUnknown() throws Exception {
    // Given
    var unknown = new HealthCheck("search attributes", () -> new Health.Unknown("UNAVAILABLE"));
    start(List.of(), List.of(unknown));
    // When
    var answer = get("/readyz");
    // Then
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .contains("\"unknown\":true", "\"reason\":\"UNAVAILABLE\"")
        .containsOnlyOnce("\"ok\":true");
  }

  @Test
  void shouldNotWaitForACheckThatHangs() throws Exception {
    // Given
    var never = new CountDownLatch(1);
    start(List.of(HealthCheck.of("stuck", () -> forever(never))), List.of());
    // When
    var answer = get("/healthz");
    // Then
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("no answer within 3000 ms");
    assertThat(get("/readyz").statusCode()).isEqualTo(200);
    never.countDown();
  }

  @Test
  void shouldServeTheMetricsOfTheJvmAndTheEngine() throws Exception {
    // Given
    start(List.of(), List.of());
    metrics.registry().counter("engine.changes", "outcome", "Done").increment();
    // When
    var answer = get("/metrics");
    // Then
    assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
    assertThat(answer.body())
        .contains("jvm_memory_used_bytes", "process_uptime_seconds", "logback_events_total")
        .contains("engine_changes_total{outcome=\"Done\"} 1.0");
  }

  @Test
  void shouldAnswerNothingElse() throws Exception {
    // Given
    start(List.of(), List.of());
    // When
    var unknown = get("/healthz/x");
    var posted = send("POST", "/healthz");
    var head = send("HEAD", "/healthz");
    // Then
    assertThat(unknown.statusCode()).isEqualTo(404);
    assertThat(posted.statusCode()).isEqualTo(405);
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
  }

  @Test
  void shouldSayWhichAddressIsTaken() {
    // Given
    start(List.of(), List.of());
    var taken = new ListenAddress("127.0.0.1", server.port());
    var signs = new HealthServer.HealthSources(metrics.registry(), List.of(), List.of());
    // Then
    assertThatThrownBy(() -> HealthServer.start(taken, signs))
        .isInstanceOf(SettingsException.class)
        .hasMessageContainingAll("httpAddress", taken.toString(), "in use");
  }

  @Test
  void shouldNotWaitForeverForARequest() throws Exception {
    // Given
    start(List.of(), List.of());
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(20_000);
      // When a request begins and never ends
      socket
          .getOutputStream()
          .write("GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ".getBytes(US_ASCII));
      socket.getOutputStream().flush();
      // Then
      assertThat(endOf(socket)).isEqualTo(-1);
    }
  }

  @Test
  void shouldNotTakeMoreConnectionsThanItsLimit() throws Exception {
    // Given
    start(List.of(), List.of());
    var sockets = new ArrayList<Socket>();
    try {
      // When
      for (var i = 0; i < 150; i++) {
        sockets.add(new Socket(InetAddress.getLoopbackAddress(), server.port()));
      }
      // Then those beyond the limit are closed at once
      var last = sockets.getLast();
      last.setSoTimeout(3_000);
      assertThat(endOf(last)).isEqualTo(-1);
    } finally {
      for (var socket : sockets) {
        socket.close();
      }
    }
    // and it serves again
    assertThat(statusWithin(100)).isEqualTo(200);
  }

  /** The closed connections are noticed a moment later. */
  private int statusWithin(int tries) throws Exception {
    for (var i = 1; i < tries; i++) {
      try {
        return get("/healthz").statusCode();
      } catch (IOException e) {
        Thread.sleep(100);
      }
    }
    return get("/healthz").statusCode();
  }

  /** A reset is an end as well. */
  private static int endOf(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read();
    } catch (SocketException e) {
      return -1;
    }
  }

  private void start(List<HealthCheck> health, List<HealthCheck> readiness) {
    var signs = new HealthServer.HealthSources(metrics.registry(), health, readiness);
    server = HealthServer.start(ANY_PORT, signs);
  }

  private static Optional<String> forever(CountDownLatch never) {
    try {
      never.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send("GET", path);
  }

  private HttpResponse<String> send(String method, String path)
      throws IOException, InterruptedException {
    var uri = URI.create("http://127.0.0.1:" + server.port() + path);
    var request =
        HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build();
    try (var client = HttpClient.newHttpClient()) {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
  }
}
