package io.middleware.engine.activities.checks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.check.CheckResult;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import java.io.IOException;
import java.net.URLDecoder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Checks that ask a webhook and Prometheus, and that read objects. */
@ExtendWith(ApiServer.class)
class CheckSourcesIT {
  private final LocalNamespace cluster;
  private CheckScene scene;

  CheckSourcesIT(LocalNamespace cluster) {
    this.cluster = cluster;
  }

  @BeforeEach
  void open() throws IOException {
    scene = new CheckScene(cluster);
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void shouldAskAWebhookAboutThePodsOfTheGroup() {
    // Given
    scene.server.answers(200, "{\"passed\": true, \"actual\": \"16384 slots\"}");
    // When Then: a look does not wait for a slow agent
    await()
        .untilAsserted(
            () -> {
              assertThat(scene.activities.checksHold(scene.ofGroup("verified"))).isTrue();
              assertThat(scene.server.questions.getLast())
                  .startsWith("/verify {\"function\":\"redis\",\"params\":{\"level\":\"strict\"}")
                  .contains("\"app\":\"cache\"", "\"group\":\"g\"", "\"role\":\"primary\"");
            });
    assertThat(scene.results()).extracting(CheckResult::actual).containsExactly("16384 slots");
  }

  @Test
  void shouldFailWithWhatTheWebhookSays() {
    scene.server.answers(200, "{\"passed\": false, \"message\": \"slot 7 is open\"}");
    scene.assertFails("verified", "did not hold within 1 s: slot 7 is open");
  }

  @Test
  void shouldAskPrometheusAboutTheGroup() {
    // Given
    scene.server.answers(
        200, "{\"data\": {\"resultType\": \"vector\", \"result\": [{\"value\": [1.5, \"0.5\"]}]}}");
    // When
    var hold = scene.activities.checksHold(scene.ofGroup("calm"));
    // Then
    assertThat(hold).isTrue();
    assertThat(scene.results()).extracting(CheckResult::actual).containsExactly("result = [0.5]");
    assertThat(URLDecoder.decode(scene.server.questions.getFirst(), UTF_8))
        .isEqualTo("/api/v1/query query=errors{app='cache', group='g'}");
  }

  @Test
  void shouldReadTheObjectsOfTheGroup() {
    // Given
    own("cache-db-g");
    // When Then
    scene.assertFails("written", "ConfigMap cache-db-g does not exist");
    scene
        .cluster
        .client()
        .configMaps()
        .inNamespace(scene.cluster.namespace())
        .resource(configMap())
        .create();
    assertThat(scene.activities.checksHold(scene.ofGroup("written"))).isTrue();
  }

  @Test
  void shouldReadNoObjectsOfOthers() {
    // Given
    own("cache-db-g");
    // When Then
    scene.assertFails("foreign", "ConfigMap other does not belong to group g");
  }

  /** Enters a ConfigMap in the inventory of the group. */
  private void own(String configMap) {
    var group =
        Serialization.unmarshal(
            """
            apiVersion: middleware.io/v1
            kind: Group
            metadata: {name: cache-db-g, labels: {middleware.io/app: cache, middleware.io/component: db}}
            spec: {app: cache, component: db, group: g}
            """,
            Group.class);
    var groups =
        scene.cluster.client().resources(Group.class).inNamespace(scene.cluster.namespace());
    groups.resource(group).createOr(NonDeletingOperation::update);
    groups
        .withName("cache-db-g")
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"status\": {\"inventory\": [{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"name\": \"%s\"}]}}"
                .formatted(configMap));
  }

  private ConfigMap configMap() {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName("cache-db-g")
        .endMetadata()
        .addToData("a", "b")
        .build();
  }
}
