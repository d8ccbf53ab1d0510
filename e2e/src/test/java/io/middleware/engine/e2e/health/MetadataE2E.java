package io.middleware.engine.e2e.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Node;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Story;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

/** Roles show in the Groups, and what runs where in the ConfigMap of the namespace. */
@EndToEnd
class MetadataE2E {
  private static final int MIB = 1024 * 1024;

  /** So long the watcher gathers what it writes during a change. */
  private static final int SECONDS_OF_A_WRITE = 5;

  private static final int WRITES_AROUND_A_CHANGE = 3;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SHARD = "cache-redis-nodes-shard-0";

  private final Shop shop;
  private final NamespaceMetadata shown;

  MetadataE2E(Shop shop) {
    this.shop = shop;
    this.shown = new NamespaceMetadata(shop);
  }

  @Test
  void shouldFollowTheRolesAndGoWithTheApp() {
    // Given
    shop.apply(shop.cache());
    shop.awaitReady("cache");
    eventually().untilAsserted(this::assertOnePrimaryEach);
    eventually().untilAsserted(this::assertMetadataAsShown);
    assertThat(metadata("cache").at("/runtime/version").asText()).isEqualTo("7.0");
    // When: the primary crashes
    shop.kubectl(
        "", "annotate", "--overwrite", "pod", SHARD + "-0", "-n", shop.namespace, crash("true"));
    // Then
    eventually()
        .untilAsserted(
            () -> assertThat(roles(SHARD)).isEqualTo(roles("none", "primary", "replica")));
    eventually().untilAsserted(this::assertMetadataAsShown);
    // When: it comes back
    shop.kubectl(
        "", "annotate", "--overwrite", "pod", SHARD + "-0", "-n", shop.namespace, crash("false"));
    // Then
    eventually()
        .untilAsserted(
            () -> assertThat(roles(SHARD)).isEqualTo(roles("replica", "primary", "replica")));
    eventually().untilAsserted(this::assertMetadataAsShown);
    shop.awaitQuiet();
    // When
    shop.kubectl("", "delete", "app", "cache", "-n", shop.namespace, "--timeout=4m");
    // Then
    eventually().untilAsserted(() -> assertThat(map().getData()).isNullOrEmpty());
  }

  @Test
  void shouldFollowAnUpgradeWithFewWrites() {
    // Given
    var story = new Story(shop).deployed();
    eventually().untilAsserted(this::assertMetadataAsShown);
    var audit = AuditLog.fromNow();
    var began = Instant.now();
    // When
    story.upgrading().endsWell();
    // Then
    eventually().untilAsserted(this::assertOnePrimaryEach);
    eventually().untilAsserted(this::assertMetadataAsShown);
    assertThat(metadata("cache").at("/components/0/runtime/version").asText()).isEqualTo("7.2");
    var seconds = (int) Duration.between(began, Instant.now()).toSeconds();
    assertThat(audit.writes(shop.namespace).stream().filter(MetadataE2E::isMetadata))
        .hasSizeBetween(1, WRITES_AROUND_A_CHANGE + seconds / SECONDS_OF_A_WRITE);
  }

  @Test
  void shouldSeeAFailoverThatNoPodShows() {
    // Given
    shop.apply(shop.cache());
    shop.awaitReady("cache");
    eventually().untilAsserted(this::assertOnePrimaryEach);
    // When
    var promote = "agent.local.middleware.io/promote=true";
    shop.kubectl("", "annotate", "pod", SHARD + "-2", "-n", shop.namespace, promote);
    // Then
    eventually()
        .untilAsserted(
            () -> assertThat(roles(SHARD)).isEqualTo(roles("replica", "replica", "primary")));
  }

  @Test
  void shouldPutRightWhatOthersDoToIt() {
    // Given
    shown.deploy("one", "two");
    shop.awaitQuiet();
    var right = map().getData();
    // When
    shop.kubectl(
        "",
        "patch",
        "configmap",
        Labels.METADATA,
        "-n",
        shop.namespace,
        "--type=merge",
        "-p={\"data\":{\"one\":\"by hand\"}}");
    // Then
    eventually().untilAsserted(() -> assertThat(map().getData()).isEqualTo(right));
    // When
    shop.kubectl("", "delete", "configmap", Labels.METADATA, "-n", shop.namespace);
    // Then
    eventually().untilAsserted(() -> assertThat(map().getData()).isEqualTo(right));
  }

  @Test
  void shouldUseAnotherMapWhenThereIsNoRoom() {
    // Given
    shop.client
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(shop.namespace)
                .withName(Labels.METADATA)
                .endMetadata()
                .addToData("filler", "x".repeat(MIB - 100))
                .build())
        .create();
    // When
    shop.apply(shop.small("one"));
    shop.awaitReady("one");
    // Then
    eventually()
        .untilAsserted(
            () -> assertThat(shown.map(Labels.METADATA + "-2").getData()).containsOnlyKeys("one"));
    assertThat(map().getData()).containsOnlyKeys("filler");
    // and it goes with the App
    shop.kubectl("", "delete", "app", "one", "-n", shop.namespace, "--timeout=4m");
    eventually()
        .untilAsserted(
            () -> assertThat(shown.map(Labels.METADATA + "-2").getData()).isNullOrEmpty());
  }

  private void assertOnePrimaryEach() {
    assertThat(groups())
        .hasSize(3)
        .allSatisfy(
            group ->
                assertThat(group.getStatus().nodes())
                    .extracting(Node::role)
                    .hasSize(3)
                    .containsOnlyOnce("primary")
                    .doesNotContainNull());
  }

  /** The ConfigMap says what the statuses do. */
  private void assertMetadataAsShown() throws JsonProcessingException {
    var metadata = metadata("cache");
    for (Group group : groups()) {
      assertThat(nodes(metadata, group))
          .extracting(
              node -> node.path("pod").asText(),
              node -> node.path("address").asText(null),
              node -> node.path("role").asText(null))
          .containsExactlyElementsOf(
              group.getStatus().nodes().stream()
                  .map(n -> tuple(n.pod(), n.ip(), n.role()))
                  .toList());
    }
  }

  private static List<JsonNode> nodes(JsonNode metadata, Group group) {
    var labels = group.getMetadata().getLabels();
    return all(metadata.path("components"))
        .filter(component -> named(component, labels.get(Labels.COMPONENT)))
        .flatMap(component -> all(component.path("groups")))
        .filter(part -> named(part, labels.get(Labels.GROUP)))
        .flatMap(part -> all(part.path("nodes")))
        .toList();
  }

  private static Stream<JsonNode> all(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false);
  }

  private static boolean named(JsonNode part, String name) {
    return part.path("name").asText().equals(name);
  }

  private JsonNode metadata(String app) {
    try {
      return JSON.readTree(Optional.ofNullable(map()).orElseThrow().getData().get(app));
    } catch (JsonProcessingException e) {
      throw new AssertionError("no JSON", e);
    }
  }

  private ConfigMap map() {
    return shown.map(Labels.METADATA);
  }

  private List<Group> groups() {
    return shop.client.resources(Group.class).inNamespace(shop.namespace).list().getItems();
  }

  /** By number of the pod. */
  private Map<Integer, String> roles(String group) {
    var nodes =
        groups().stream()
            .filter(found -> found.getMetadata().getName().equals(group))
            .findFirst()
            .orElseThrow()
            .getStatus()
            .nodes()
            .stream()
            .map(node -> Objects.requireNonNullElse(node.role(), "none"))
            .toList();
    return roles(nodes.toArray(String[]::new));
  }

  private static Map<Integer, String> roles(String... roles) {
    return Map.of(0, roles[0], 1, roles[1], 2, roles[2]);
  }

  private static String crash(String value) {
    return "local.middleware.io/crash=" + value;
  }

  private static boolean isMetadata(AuditLog.Entry write) {
    return write.resource().equals("configmaps") && write.name().equals(Labels.METADATA);
  }

  private static ConditionFactory eventually() {
    return await().pollInterval(Duration.ofMillis(50)).ignoreExceptions();
  }
}
