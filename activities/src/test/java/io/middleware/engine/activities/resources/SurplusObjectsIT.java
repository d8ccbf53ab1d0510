package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A new version of a Plugin names its ConfigMap and its budget otherwise. */
@ExtendWith(ApiServer.class)
class SurplusObjectsIT {
  private static final String OLD = "cache-db-g-config";
  private static final String NEW = "cache-db-g-config-2";

  private final LocalNamespace cluster;
  private final LocalWriters writers;
  private final KubernetesResourceActivities activities;
  private App app;

  SurplusObjectsIT(LocalNamespace cluster) {
    this.cluster = cluster;
    var engine = new LocalEngine(cluster);
    this.writers = new LocalWriters(engine);
    this.activities = engine.resources();
  }

  @BeforeEach
  void deploy() {
    plugin("");
    app = cluster.createApp();
    apply(ChangeType.PROVISION);
    settle(ChangeType.PROVISION);
    plugin("-2");
  }

  @Test
  void shouldStayUntilThePodsAreReplaced() {
    // Given
    var pod = cluster.create(pod(OLD));
    // When
    apply(ChangeType.VERSION_UPGRADE);
    // Then
    assertThat(exists(OLD)).isTrue();
    assertThat(exists(NEW)).isTrue();
    assertThat(inventory()).contains(OLD, NEW);
    // When
    cluster.client().resource(pod).withGracePeriod(0).delete();
    settle(ChangeType.VERSION_UPGRADE);
    // Then
    assertThat(exists(OLD)).isFalse();
    assertThat(exists(NEW)).isTrue();
    assertThat(inventory()).contains(NEW).doesNotContain(OLD);
  }

  @Test
  void shouldStayWhileAPodNamesThem() {
    // Given
    var pod = cluster.create(pod(OLD));
    apply(ChangeType.VERSION_UPGRADE);
    // When
    settle(ChangeType.VERSION_UPGRADE);
    // Then
    assertThat(exists(OLD)).isTrue();
    assertThat(inventory()).contains(OLD);
    // When
    cluster.client().resource(pod).withGracePeriod(0).delete();
    apply(ChangeType.CONFIG);
    settle(ChangeType.CONFIG);
    // Then
    assertThat(exists(OLD)).isFalse();
    assertThat(inventory()).doesNotContain(OLD);
  }

  /** A later task of another group, after a cancel with Hold. */
  @Test
  void shouldStayWhenAnotherTaskEnds() {
    // Given
    apply(ChangeType.VERSION_UPGRADE);
    // When
    activities.settleComponent(begin(ChangeType.STORAGE));
    // Then
    assertThat(exists(OLD)).isTrue();
  }

  /** Pods that two budgets select are never evicted. */
  @Test
  void shouldNotStayWhenTheyActOnPods() {
    // Given
    cluster.create(pod(OLD));
    // When
    apply(ChangeType.VERSION_UPGRADE);
    // Then
    assertThat(cluster.named(PodDisruptionBudget.class, "cache-db-g-budget").get()).isNull();
    assertThat(cluster.named(PodDisruptionBudget.class, "cache-db-g-budget-2").get()).isNotNull();
  }

  @Test
  void shouldNotGoWhenTheyAreRenderedAgain() {
    // Given
    apply(ChangeType.VERSION_UPGRADE);
    plugin("");
    // When
    apply(ChangeType.VERSION_UPGRADE);
    settle(ChangeType.VERSION_UPGRADE);
    // Then
    assertThat(exists(OLD)).isTrue();
    assertThat(exists(NEW)).isFalse();
  }

  private TaskRef begin(ChangeType type) {
    var task = writers.task(app, type);
    activities.openComponent(task);
    return task;
  }

  private void apply(ChangeType type) {
    activities.applyGroup(new GroupRef(begin(type), "g"));
  }

  private void settle(ChangeType type) {
    activities.settleComponent(writers.task(app, type));
  }

  private void plugin(String suffix) {
    cluster.named(Plugin.class, "redis-v1.0.0").delete();
    cluster.createPlugin(
        yaml ->
            yaml.replace("${name}-config", "${name}-config" + suffix)
                .replace(
                    "    templates:\n",
                    """
                        templates:
                        - template:
                            apiVersion: policy/v1
                            kind: PodDisruptionBudget
                            metadata: {name: "${name}-budget%s"}
                            spec: {maxUnavailable: 1, selector: {matchLabels: "${selectorLabels}"}}
                    """
                        .formatted(suffix)));
  }

  private static Pod pod(String config) {
    return new PodBuilder()
        .withNewMetadata()
        .withName("cache-db-g-0")
        .withLabels(Labels.selector("cache", "db", "g"))
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("redis")
        .withImage("redis:7.0")
        .endContainer()
        .addNewVolume()
        .withName("config")
        .withNewConfigMap()
        .withName(config)
        .endConfigMap()
        .endVolume()
        .endSpec()
        .build();
  }

  private boolean exists(String name) {
    return cluster.named(ConfigMap.class, name).get() != null;
  }

  private List<String> inventory() {
    return cluster.named(Group.class, "cache-db-g").get().getStatus().inventory().stream()
        .map(InventoryItem::name)
        .toList();
  }
}
