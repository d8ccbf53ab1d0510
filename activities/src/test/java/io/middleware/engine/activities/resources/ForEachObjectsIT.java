package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Service;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.GroupRef;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A group that has a Service for each of its pods. */
@ExtendWith(ApiServer.class)
class ForEachObjectsIT {
  private static final String EACH =
      """
          - forEach: lists.range(replicas)
            template:
              apiVersion: v1
              kind: Service
              metadata: {name: "${name}-${string(ordinal)}"}
              spec: {clusterIP: None, selector: "${selectorLabels}", ports: [{port: 6379}]}
      """;

  private final LocalNamespace cluster;
  private final LocalWriters writers;
  private final KubernetesResourceActivities activities;

  ForEachObjectsIT(LocalNamespace cluster) {
    this.cluster = cluster;
    var engine = new LocalEngine(cluster);
    this.writers = new LocalWriters(engine);
    this.activities = engine.resources();
  }

  @BeforeEach
  void deploy() {
    plugin(EACH);
    apply(cluster.createApp(), ChangeType.PROVISION);
    carryOut(2, ChangeType.RESOURCES);
  }

  @Test
  void shouldBeThereBeforeThePodsAndGoAfterThem() {
    // When
    apply(edited(3), ChangeType.RESOURCES);
    // Then
    assertThat(services()).containsExactly("cache-db-g-0", "cache-db-g-1", "cache-db-g-2");
    // When
    var app = edited(1);
    apply(app, ChangeType.RESOURCES);
    // Then
    assertThat(services()).hasSize(3);
    // When
    activities.settleComponent(writers.task(app, ChangeType.RESOURCES));
    // Then
    assertThat(services()).containsExactly("cache-db-g-0");
  }

  @Test
  void shouldTakeOverWhatKeepsItsNameWhenForEachGoes() {
    // Given
    var before = service().getMetadata().getUid();
    plugin(
        EACH.replace("forEach: lists.range(replicas)\n      template", "template")
            .replace("${string(ordinal)}", "0"));
    // When
    carryOut(2, ChangeType.CONFIG);
    // Then
    assertThat(services()).containsExactly("cache-db-g-0");
    assertThat(service().getMetadata().getUid()).isEqualTo(before);
  }

  private void carryOut(int replicas, ChangeType type) {
    var app = edited(replicas);
    apply(app, type);
    activities.settleComponent(writers.task(app, type));
  }

  private App edited(int replicas) {
    return cluster.editApp(yaml -> yaml.replaceAll("replicas: \\d", "replicas: " + replicas));
  }

  private void apply(App app, ChangeType type) {
    var task = writers.task(app, type);
    activities.openComponent(task);
    activities.applyGroup(new GroupRef(task, "g"));
  }

  private Service service() {
    return cluster.named(Service.class, "cache-db-g-0").get();
  }

  private List<String> services() {
    return cluster.all(Service.class).stream()
        .map(it -> it.getMetadata().getName())
        .sorted()
        .toList();
  }

  private void plugin(String template) {
    cluster.named(Plugin.class, "redis-v1.0.0").delete();
    cluster.createPlugin(yaml -> yaml.replace("    templates:\n", "    templates:\n" + template));
  }
}
