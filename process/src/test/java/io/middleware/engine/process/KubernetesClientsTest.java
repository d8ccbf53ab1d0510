package io.middleware.engine.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.middleware.engine.process.settings.ProcessArguments;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubernetesClientsTest {
  static {
    LimitedHttpServers.begin();
  }

  private static final String KUBECONFIG =
      """
      apiVersion: v1
      kind: Config
      current-context: local
      contexts: [{name: local, context: {cluster: local, user: worker}}]
      clusters: [{name: local, cluster: {server: "https://127.0.0.1:1"}}]
      users: [{name: other, user: {tokenFile: nowhere}}, {name: worker, user: {tokenFile: token}}]
      """;

  @TempDir Path folder;

  /** Of the server, as many as it may give. */
  private final Semaphore answers = new Semaphore(100);

  private final KubernetesClients clients =
      new KubernetesClients(
          "worker",
          EngineSettings.read(new ProcessArguments(List.of(), Map.of())),
          new KubernetesSerialization());

  @BeforeEach
  void kubeconfig() throws IOException {
    Path file = Files.writeString(folder.resolve("kubeconfig"), KUBECONFIG);
    System.setProperty(Config.KUBERNETES_KUBECONFIG_FILE, file.toString());
  }

  @AfterEach
  void forget() {
    System.clearProperty(Config.KUBERNETES_KUBECONFIG_FILE);
  }

  @Test
  void shouldOpenWithoutAServerAndBeImpatient() {
    // When
    try (var client = clients.open()) {
      // Then
      Config config = client.getConfiguration();
      assertThat(config.getMasterUrl()).startsWith("https://127.0.0.1:1");
      assertThat(config.getUserAgent()).isEqualTo("middleware-engine/worker");
      assertThat(config.getRequestTimeout()).isEqualTo(10_000);
      assertThat(config.getRequestRetryBackoffLimit()).isEqualTo(1);
    }
  }

  @Test
  void shouldGiveUpACallForTheLeaseWellBeforeTheLeaseEnds() {
    // When
    try (var client = clients.openForElection()) {
      // Then
      Config config = client.getConfiguration();
      assertThat(config.getRequestTimeout()).isEqualTo(3_750);
      assertThat(config.getConnectionTimeout()).isEqualTo(2_000);
      assertThat(config.getRequestRetryBackoffLimit()).isZero();
    }
  }

  /** As a step whose run was terminated: the library would send the request and then give up. */
  @Test
  void shouldCallNothingFromAThreadThatIsInterrupted() throws IOException {
    // Given
    var calls = new CopyOnWriteArrayList<String>();
    var server = serve(calls);
    try (var client = clients.open()) {
      client.getKubernetesVersion();
      assertThat(calls).hasSize(1);
      // When
      Thread.currentThread().interrupt();
      // Then
      assertThatThrownBy(client::getKubernetesVersion)
          .isInstanceOf(KubernetesClientException.class)
          .hasMessageContaining("the step was interrupted");
      assertThat(Thread.interrupted()).isTrue();
      client.getKubernetesVersion();
      assertThat(calls).hasSize(2);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void shouldHaveEachPatchParsedOnce() throws IOException {
    // Given
    var calls = new CopyOnWriteArrayList<String>();
    var server = serve(calls);
    var map = new ConfigMapBuilder().withNewMetadata().withName("m").endMetadata().build();
    try (var client = clients.open()) {
      var resource = client.configMaps().inNamespace("shop").resource(map);
      // When
      resource.fieldManager("engine").serverSideApply();
      resource.patch(PatchContext.of(PatchType.JSON_MERGE), "{}");
      resource.delete();
      // Then
      assertThat(calls.getFirst()).startsWith("PATCH /api/v1/namespaces/shop/configmaps/m?");
      assertThat(calls.getFirst()).contains("fieldManager=engine", "&fieldValidation=Ignore");
      assertThat(calls.get(1)).endsWith("/configmaps/m?fieldValidation=Ignore");
      assertThat(calls.getLast()).doesNotContain("fieldValidation");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void shouldLetOtherCallsWaitWhileAFewAreAnswered() throws Exception {
    // Given
    var calls = new CopyOnWriteArrayList<String>();
    answers.drainPermits();
    var server = serve(calls);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        var client = clients.open()) {
      // When
      var versions =
          IntStream.range(0, 20)
              .mapToObj(i -> threads.submit(client::getKubernetesVersion))
              .toList();
      // Then
      await().until(() -> answers.getQueueLength() == 8);
      for (int i = 0; i < versions.size(); i++) {
        assertThat(calls.size() - i).isLessThanOrEqualTo(8);
        answers.release();
      }
      for (var version : versions) {
        assertThat(version.get().getMinor()).isEqualTo("35");
      }
    } finally {
      server.stop(0);
    }
  }

  /** As of a watch, or of a server behind the API server. */
  @Test
  void shouldEndAConnectionWhoseAnswerDoesNotEnd() throws IOException {
    // Given
    var server = serve(new CopyOnWriteArrayList<>());
    server.createContext("/apis/shop.io/v1", KubernetesClientsTest::answerWithoutEnd);
    var settings =
        EngineSettings.read(
            new ProcessArguments(
                List.of(),
                Map.of("ENGINE_KUBERNETES_API_TIMEOUT", "1s", "ENGINE_KUBERNETES_API_CALLS", "1")));
    var impatient = new KubernetesClients("worker", settings, new KubernetesSerialization());
    try (var client = impatient.open()) {
      // When
      assertThatThrownBy(() -> client.getApiResources("shop.io/v1"))
          .isInstanceOf(KubernetesClientException.class)
          .hasRootCauseInstanceOf(TimeoutException.class);
      // Then
      assertThat(client.getKubernetesVersion().getMinor()).isEqualTo("35");
    } finally {
      server.stop(0);
    }
  }

  private static void answerWithoutEnd(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, 0);
    try (var stream = exchange.getResponseBody()) {
      while (true) {
        stream.write("{}\n".getBytes(UTF_8));
        stream.flush();
        Thread.sleep(20);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A server that the kubeconfig names. */
  private HttpServer serve(List<String> calls) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> answer(exchange, calls));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    Files.writeString(folder.resolve("token"), "any");
    Files.writeString(
        folder.resolve("kubeconfig"),
        KUBECONFIG.replace(
            "https://127.0.0.1:1", "http://127.0.0.1:" + server.getAddress().getPort()));
    return server;
  }

  private void answer(HttpExchange exchange, List<String> calls) throws IOException {
    calls.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
    answers.acquireUninterruptibly();
    var body =
        exchange.getRequestURI().getPath().equals("/version")
            ? "{\"major\": \"1\", \"minor\": \"35\"}"
            : "{\"kind\": \"ConfigMap\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"m\"}}";
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, body.length());
    try (var stream = exchange.getResponseBody()) {
      stream.write(body.getBytes(UTF_8));
    }
  }

  @Test
  void shouldSayThatTheServerIsAway() throws IOException {
    // Given
    Files.writeString(folder.resolve("token"), "any");
    try (var client = clients.openForElection()) {
      // When
      var problem = KubernetesClients.check(client).look().get().problem();
      // Then
      assertThat(problem.orElseThrow()).contains("https://127.0.0.1:1");
    }
  }

  @Test
  void shouldReadTheTokenFileForEveryCall() throws IOException {
    // Given
    Files.writeString(folder.resolve("token"), "first\n");
    try (var client = clients.open()) {
      var tokens = client.getConfiguration().getOauthTokenProvider();
      String before = tokens.getToken();
      // When
      Files.writeString(folder.resolve("token"), "second\n");
      // Then
      assertThat(before).isEqualTo("first");
      assertThat(tokens.getToken()).isEqualTo("second");
    }
  }
}
