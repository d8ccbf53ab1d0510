package io.middleware.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A Plugin that is edited again and again, by another worker each time. */
@ExtendWith(ApiServer.class)
class PluginRevisionsIT {
  private static final int KEPT = 10;

  private final LocalNamespace cluster;

  PluginRevisionsIT(LocalNamespace cluster) {
    this.cluster = cluster;
  }

  @Test
  void shouldKeepTheContentWithWhichAGroupWasRendered() {
    // Given
    var first = keep(0);
    createGroup(first);
    var second = keep(1);
    // When
    for (var edit = 2; edit < KEPT + 3; edit++) {
      keep(edit);
    }
    // Then
    assertThat(names()).hasSize(KEPT + 1).contains(first).doesNotContain(second);
  }

  @Test
  void shouldKeepAnEarlierContentToWhichThePluginIsSetBack() {
    // Given
    var first = keep(0);
    for (var edit = 1; edit < KEPT + 1; edit++) {
      keep(edit);
    }
    // When
    var again = keep(0);
    // Then
    assertThat(again).isEqualTo(first);
    assertThat(names()).contains(first);
  }

  @Test
  void shouldKnowTheSensitiveParametersOfAPluginThatIsDeleted() {
    // Given
    var plugins = new Plugins(cluster.client(), cluster.namespace(), List.of(cluster.namespace()));
    var plugin =
        cluster.createPlugin(
            yaml ->
                yaml.replaceFirst(
                    "(?m)^( *)parameters:$",
                    "$1parameters:\n$1- {name: phrase, type: string, sensitive: true}"));
    plugins.keep(plugin, plugins.revision(plugin));
    assertThat(plugins.sensitive().declared()).contains("phrase");
    // When
    cluster.client().resource(plugin).delete();
    // Then
    assertThat(plugins.sensitive().declared()).contains("phrase");
  }

  private String keep(int edit) {
    var plugins = new Plugins(cluster.client(), cluster.namespace(), List.of(cluster.namespace()));
    var plugin = new Plugin();
    plugin.setMetadata(
        new ObjectMetaBuilder().withName("redis-v1.0.0").withGeneration(edit + 1L).build());
    plugin.setSpec(
        new PluginSpec(
            "redis",
            "1.0.0",
            null,
            null,
            null,
            List.of("edit-" + edit),
            null,
            null,
            null,
            null,
            null,
            null));
    var name = plugins.revision(plugin);
    plugins.keep(plugin, name);
    return name;
  }

  private void createGroup(String revision) {
    var group = new Group();
    group.setMetadata(
        new ObjectMetaBuilder()
            .withName("cache-db-g")
            .addToAnnotations(Labels.PLUGIN_REVISION, revision)
            .build());
    group.setSpec(
        new GroupSpec(
            "cache", "db", "redis", "g", null, null, null, 1, null, null, null, null, null, null));
    cluster.create(group);
  }

  private List<String> names() {
    return cluster
        .client()
        .resources(ControllerRevision.class)
        .inNamespace(cluster.namespace())
        .withLabel(Labels.PLUGIN, "redis-v1.0.0")
        .list()
        .getItems()
        .stream()
        .map(one -> one.getMetadata().getName())
        .toList();
  }
}
