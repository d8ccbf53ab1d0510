package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.HookPoint;
import io.middleware.engine.api.task.TaskHook;
import io.middleware.engine.api.task.TaskHooks;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanRequest;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The App {@code cache} is deleted, whose Plugin has a hook before that. */
@ExtendWith(ApiServer.class)
class HookPlanningIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private App app;

  HookPlanningIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @BeforeEach
  void deploy() {
    app = cluster.createApp();
    var change = engine.begin(app);
    deployPlugin();
    engine
        .resources()
        .openComponent(new TaskRef(change, "1-provision-db", ChangeType.PROVISION, "db"));
  }

  @Test
  void shouldRunTheHookBeforeAnythingIsRemoved() {
    // When
    delete(Map.of());
    // Then
    var task = task();
    assertThat(task.description()).isEqualTo("remove db; first runs leave");
    assertThat(task.hooks())
        .contains(
            new TaskHooks(
                Optional.of(new TaskHook(HookPoint.BEFORE_REMOVE, "leave")), Optional.empty()));
  }

  @Test
  void shouldRunNoneByForce() {
    // When
    delete(Map.of(Labels.FORCE_DELETE, "true"));
    // Then
    assertThat(task().hooks()).isEmpty();
    assertThat(task().description()).isEqualTo("remove db");
  }

  @Test
  void shouldDoWithoutAnActionThatIsGone() {
    // Given
    cluster
        .named(Plugin.class, "redis-v1.0.0")
        .edit(
            plugin -> {
              plugin.getSpec().componentTypes().getFirst().actions().clear();
              return plugin;
            });
    // When
    delete(Map.of());
    // Then
    assertThat(task().hooks()).isEmpty();
  }

  private void deployPlugin() {
    cluster.createPlugin(
        yaml ->
            yaml.replace(
                "  componentTypes:\n  - name: redis\n",
                """
                  agent: {port: 9090}
                  componentTypes:
                  - name: redis
                    actions: [{name: leave}]
                    hooks: {beforeRemove: leave}
                """));
  }

  private void delete(Map<String, String> annotations) {
    cluster
        .named(App.class, "cache")
        .edit(
            it -> {
              it.getMetadata().setAnnotations(annotations);
              it.getMetadata().setFinalizers(List.of(Labels.TEARDOWN));
              return it;
            });
    cluster.client().resource(app).delete();
  }

  private ChangeTask task() {
    var change = cluster.change(cluster.now(app), "run-1");
    var answer = LocalPlanning.of(engine).plan(new PlanRequest(change, Optional.empty()));
    return ((PlanAnswer.Planned) answer).plan().tasks().getFirst();
  }
}
