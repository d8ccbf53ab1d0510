package io.middleware.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.FlakyConnection;
import io.middleware.engine.cluster.apiserver.FlakyConnection.Break;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections to the API server break at every kind of call, in every way. */
@ExtendWith(ApiServer.class)
class BrokenConnectionIT {
  private static final List<String> CALLS =
      List.of("read", "list", "create", "apply", "status", "delete", "look up", "evict");

  /** The answers to these are as long as the object. */
  private static final List<String> CALLS_OF_LONG_ANSWERS =
      List.of("read", "list", "create", "apply");

  private final LocalNamespace cluster;
  private FlakyConnection connection;
  private KubernetesClient client;

  BrokenConnectionIT(LocalNamespace cluster) {
    this.cluster = cluster;
  }

  static Stream<Arguments> everyBreakAtEveryCall() {
    return Stream.of(Break.values())
        .filter(how -> how != Break.NOTHING)
        .flatMap(how -> calls(how).stream().map(call -> Arguments.of(how, call)));
  }

  private static List<String> calls(Break how) {
    return how == Break.CUT_LONG_ANSWER ? CALLS_OF_LONG_ANSWERS : CALLS;
  }

  @BeforeEach
  void connect() throws IOException {
    var direct = cluster.client().getConfiguration();
    connection = new FlakyConnection(URI.create(direct.getMasterUrl()).getPort());
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(direct)
                    .withMasterUrl("https://127.0.0.1:" + connection.port())
                    .withRequestTimeout(1000)
                    .withConnectionTimeout(1000)
                    .build())
            .withKubernetesSerialization(cluster.client().getKubernetesSerialization())
            .build();
    if (cluster.named(App.class, "cache").get() == null) {
      cluster.createApp();
      cluster.create(map("settings", null));
    }
  }

  @AfterEach
  void disconnect() throws IOException {
    client.close();
    connection.close();
  }

  @ParameterizedTest
  @MethodSource("everyBreakAtEveryCall")
  void shouldCountAsNoAnswer(Break how, String call) {
    // Given
    client.getKubernetesVersion();
    connection.become(how);
    // When Then
    assertThatThrownBy(() -> Faults.attempt(call, calls().get(call)))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo(FaultKind.UNAVAILABLE.label());
              assertThat(e.isNonRetryable()).isFalse();
              assertThat(e.getOriginalMessage())
                  .startsWith(call + ": the API server does not answer: ");
            });
    // and afterwards the client works on
    connection.become(Break.NOTHING);
    assertThatCode(() -> calls().get("read").get()).doesNotThrowAnyException();
  }

  private Map<String, Supplier<Object>> calls() {
    var maps = client.configMaps().inNamespace(cluster.namespace());
    return Map.of(
        "read", () -> Optional.ofNullable(maps.withName("settings").get()),
        "list", () -> maps.list(new ListOptionsBuilder().withLimit(10L).build()),
        "create", () -> maps.resource(map("", "settings-")).create(),
        "apply", () -> maps.resource(map("settings", null)).serverSideApply(),
        "status", this::writeStatus,
        "delete", () -> maps.withName("nothing").delete(),
        "look up", () -> client.getApiResources("apps/v1"),
        "evict", this::evict);
  }

  private Object writeStatus() {
    var app = cluster.named(App.class, "cache").get();
    app.setStatus(
        AppStatusBuilder.builder()
            .observedGeneration(1L)
            .acceptedGeneration(1L)
            .tasks(List.of())
            .conditions(List.of())
            .build());
    app.getMetadata().setManagedFields(null);
    return client.resource(app).subresource("status").update();
  }

  private Object evict() {
    var eviction =
        new EvictionBuilder()
            .withNewMetadata()
            .withName("nobody")
            .withNamespace(cluster.namespace())
            .endMetadata()
            .build();
    return client.raw(
        "/api/v1/namespaces/%s/pods/nobody/eviction".formatted(cluster.namespace()),
        "POST",
        eviction);
  }

  private ConfigMap map(String name, String prefix) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name.isEmpty() ? null : name)
        .withGenerateName(prefix)
        .withNamespace(cluster.namespace())
        .endMetadata()
        .addToData("long", "x".repeat(300_000))
        .build();
  }
}
