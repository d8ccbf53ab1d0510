package io.middleware.engine.activities.pods;

import static io.middleware.engine.cluster.SampleObjects.readyAt;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.FakeView;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.status.ActionProgressWriter;
import io.middleware.engine.cluster.status.AppStatusWriter;
import io.middleware.engine.cluster.status.EventRecorder;
import io.middleware.engine.render.sensitive.SensitiveValues;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An API server that refuses every eviction. */
class BudgetedEvictionTest {
  private static final PodState POD =
      new PodState(
          new PodBuilder(readyAt("db-0", "old", "127.0.0.1").pod())
              .editMetadata()
              .withNamespace("shop")
              .endMetadata()
              .build());

  private static final GroupRef GROUP =
      new GroupRef(
          new TaskRef(
              new ChangeRef("shop", "cache", "uid", 7, "run"),
              "7-config-db",
              ChangeType.CONFIG,
              "db"),
          "g");

  private final FakeStopChecks checks = new FakeStopChecks();
  private final AtomicInteger evictions = new AtomicInteger();
  private final App app = new App();
  private int code = 429;
  private String message = "Cannot evict pod as it would violate the pod's disruption budget.";
  private final FakeView view = new FakeView();
  private HttpServer server;
  private KubernetesClient client;
  private BudgetedEviction eviction;

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
    app.getMetadata().setName("cache");
    app.getMetadata().setNamespace("shop");
    app.getMetadata().setUid("uid");
    var secrets = new SensitiveValues();
    var context =
        new PodStepContext(
            view,
            new ClusterWaiter(view, waitsFor -> {}),
            null,
            new PodEvictor(client, new ImpersonatedClients(client, "")),
            new StepReporter(
                new EventRecorder(client, "test", Clock.systemUTC(), secrets),
                new ActionProgressWriter(new AppStatusWriter(client, (app, event) -> {}), secrets)),
            checks);
    eviction = new BudgetedEviction(context, GROUP);
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  @Test
  void shouldAskARefusingBudgetWithGrowingPauses() {
    // When
    var end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
    while (System.nanoTime() < end) {
      eviction.attempt(app, POD);
    }
    // Then
    assertThat(evictions).hasValue(3);
  }

  @Test
  void shouldNotAskForAnEvictionBeforeTheChecksOfThePodHold() {
    // Given
    checks.answer = pod -> Optional.of("check in-sync: lag = 7, expected answer == '0'");
    // When
    var held = eviction.attempt(app, POD);
    // Then
    assertThat(held)
        .contains("pod db-0 is not stopped yet: check in-sync: lag = 7, expected answer == '0'");
    assertThat(eviction.isRefused(app, POD)).isTrue();
    assertThat(evictions).hasValue(0);
    // and once they hold
    checks.answer = pod -> Optional.empty();
    eviction.attempt(app, POD);
    assertThat(evictions).hasValue(1);
    assertThat(checks.asked).containsExactly("db-0", "db-0", "db-0");
  }

  @Test
  void shouldWaitForAPodWithTwoBudgets() {
    // Given
    code = 500;
    message =
        "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
    // When
    var refused = eviction.attempt(app, POD);
    // Then
    assertThat(refused.orElseThrow())
        .startsWith("pod db-0: ")
        .contains("more than one PodDisruptionBudget")
        .contains("delete all but one");
  }

  @Test
  void shouldTellABudgetThatNeverAllowsAnEviction() {
    // Given
    var budget = budget();
    var notNow =
        new PodDisruptionBudgetBuilder(budget)
            .editStatus()
            .withDesiredHealthy(1)
            .endStatus()
            .build();
    var ofOthers =
        new PodDisruptionBudgetBuilder(budget)
            .editSpec()
            .editSelector()
            .addToMatchLabels("app", "another")
            .endSelector()
            .endSpec()
            .build();
    // When Then
    assertThat(UnmeetableBudgets.why(List.of(notNow, ofOthers), POD)).isEmpty();
    assertThat(UnmeetableBudgets.why(List.of(notNow, budget), POD).orElseThrow())
        .startsWith("PodDisruptionBudget db wants 2 of its 2 pods healthy, so it never allows")
        .contains("set its maxUnavailable to 1 or more");
    // and the step says so
    view.budgets.add(budget);
    assertThat(eviction.attempt(app, POD).orElseThrow())
        .startsWith("pod db-0: PodDisruptionBudget db wants 2");
  }

  private static PodDisruptionBudget budget() {
    return new PodDisruptionBudgetBuilder()
        .withNewMetadata()
        .withName("db")
        .withGeneration(1L)
        .endMetadata()
        .withNewSpec()
        .withNewSelector()
        .addToMatchLabels(POD.pod().getMetadata().getLabels())
        .endSelector()
        .endSpec()
        .withNewStatus()
        .withObservedGeneration(1L)
        .withExpectedPods(2)
        .withDesiredHealthy(2)
        .endStatus()
        .build();
  }

  private void answer(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    if (exchange.getRequestURI().getPath().endsWith("/eviction")) {
      evictions.incrementAndGet();
    }
    var body =
        """
        {"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"message":"%s"}"""
            .formatted(code, message)
            .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
