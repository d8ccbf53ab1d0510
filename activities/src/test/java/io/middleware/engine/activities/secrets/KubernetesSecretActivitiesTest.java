package io.middleware.engine.activities.secrets;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.secrets.AppSecrets;
import io.middleware.engine.workflows.port.SecretActivities.LookedUpApp;
import io.middleware.engine.workflows.port.SecretActivities.LookedUpSecret;
import io.middleware.engine.workflows.port.SecretActivities.SecretLook;
import io.middleware.engine.workflows.port.SecretActivities.SeenSecret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each App uses one Secret, which has its name, on an API server that does not always answer. */
class KubernetesSecretActivitiesTest {
  private static final int NO_ANSWER = 0;

  /** By the name of the Secret; the others are there. */
  private final Map<String, Integer> codes = new ConcurrentHashMap<>();

  private final Set<String> read = ConcurrentHashMap.newKeySet();
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-28T10:00:00Z"));
  private volatile Duration delay = Duration.ZERO;
  private HttpServer server;
  private KubernetesClient client;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder()
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  @Test
  void shouldReadTheOtherAppsWhenOneCannotBeRead() {
    // Given
    codes.put("broken", 500);
    codes.put("limited", 429);
    // Then
    assertThat(look("first", "broken", "limited", "last")).containsExactly("first", "last");
  }

  @Test
  void shouldEndWhereNobodyAnswers() {
    // Given
    codes.put("lost", NO_ANSWER);
    // Then
    assertThat(look("first", "lost", "last")).containsExactly("first");
    assertThat(read).containsExactlyInAnyOrder("first", "lost");
  }

  @Test
  void shouldReportWhatWasReadInTime() {
    // Given
    delay = Duration.ofSeconds(25);
    // Then
    assertThat(look("first", "second", "third")).containsExactly("first", "second");
    assertThat(read).containsExactlyInAnyOrder("first", "second");
  }

  private List<String> look(String... names) {
    var apps =
        Stream.of(names)
            .map(name -> new LookedUpSecret(name, List.of("app")))
            .map(it -> new LookedUpApp("shop", it.name(), Optional.empty(), List.of(it)))
            .toList();
    var secrets = new AppSecrets(new ImpersonatedClients(client, ""));
    return new KubernetesSecretActivities(secrets, now::get)
        .look(new SecretLook("", "middleware-system", apps)).secrets().stream()
            .map(SeenSecret::app)
            .toList();
  }

  private void answer(HttpExchange exchange) throws IOException {
    var path = exchange.getRequestURI().getPath();
    var name = path.substring(path.lastIndexOf('/') + 1);
    read.add(name);
    now.updateAndGet(it -> it.plus(delay));
    int code = codes.getOrDefault(name, 200);
    try (exchange) {
      if (code != NO_ANSWER) {
        var body = (code == 200 ? secret(name) : status(code)).getBytes(UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, body.length);
        exchange.getResponseBody().write(body);
      }
    }
  }

  private static String secret(String name) {
    return """
        {"kind": "Secret", "apiVersion": "v1", "data": {"app": "eA=="},
         "metadata": {"name": "%s", "namespace": "shop", "creationTimestamp": "2026-11-28T09:00:00Z"}}
        """
        .formatted(name);
  }

  private static String status(int code) {
    return """
        {"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": "busy", "code": %d}
        """
        .formatted(code);
  }
}
