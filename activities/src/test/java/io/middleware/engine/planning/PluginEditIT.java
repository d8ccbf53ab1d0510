package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanRequest;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A Plugin, or a template in a ConfigMap, is edited between the plan and a step. */
@ExtendWith(ApiServer.class)
class PluginEditIT {
  private static final String TEXT =
      """
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${name}-notes"}
      data: {note: %s}
      """;

  private final LocalNamespace cluster;
  private LocalEngine engine;
  private TaskRef task;

  PluginEditIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @BeforeEach
  void plan() {
    cluster.create(templates("planned"));
    cluster.createPlugin(
        yaml ->
            yaml.replace(
                "    templates:\n",
                "    templates:\n    - fromConfigMap: {name: templates, key: notes.yaml}\n"));
    var app = cluster.createApp();
    var change = cluster.change(app, "run-1");
    var answer = LocalPlanning.of(engine).plan(new PlanRequest(change, Optional.empty()));
    var plan = ((PlanAnswer.Planned) answer).plan();
    task =
        new TaskRef(change, "1-provision-db", ChangeType.PROVISION, "db")
            .with(plan.pluginRevision());
    edit();
    engine = new LocalEngine(cluster); // another process
  }

  private void edit() {
    cluster
        .named(ConfigMap.class, "templates")
        .edit(map -> new ConfigMapBuilder(map).withData(templates("edited").getData()).build());
    cluster
        .named(Plugin.class, "redis-v1.0.0")
        .edit(
            plugin -> {
              plugin
                  .getSpec()
                  .componentTypes()
                  .getFirst()
                  .templates()
                  .get(1)
                  .template()
                  .put("data", Map.of("maxmemory", "edited"));
              return plugin;
            });
  }

  @Test
  void shouldNotTakeEffectInTheChange() {
    // When
    write();
    // Then
    assertThat(data("cache-db-g-notes")).containsExactly(Map.entry("note", "planned"));
    assertThat(data("cache-db-g-config")).containsExactly(Map.entry("maxmemory", "100mb"));
  }

  @Test
  void shouldTakeEffectInAPlanThatKeptNone() {
    // Given a plan of an engine that kept no Plugins
    task = task.with(Optional.empty());
    // When
    write();
    // Then
    assertThat(data("cache-db-g-notes")).containsExactly(Map.entry("note", "edited"));
  }

  @Test
  void shouldFailTheStepWhenWhatWasPlannedIsGone() {
    // Given
    cluster
        .client()
        .resources(ControllerRevision.class)
        .inNamespace(cluster.namespace())
        .withLabel(Labels.PLUGIN, "redis-v1.0.0")
        .delete();
    // When Then
    assertThatThrownBy(this::write)
        .hasMessageContaining("redis-v1.0.0-")
        .hasMessageContaining("as it was when this change was planned, is gone: edit the App");
    assertThat(cluster.named(ConfigMap.class, "cache-db-g-notes").get()).isNull();
  }

  private void write() {
    engine.resources().openComponent(task);
    engine.resources().applyGroup(new GroupRef(task, "g"));
  }

  private Map<String, String> data(String name) {
    return cluster.named(ConfigMap.class, name).get().getData();
  }

  private static ConfigMap templates(String note) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName("templates")
        .endMetadata()
        .addToData("notes.yaml", TEXT.formatted(note))
        .build();
  }
}
