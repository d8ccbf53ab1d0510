package io.middleware.engine.cluster.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.middleware.engine.api.AgentsByPlugin;
import io.middleware.engine.api.AgentsByPlugin.Agents;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.RunState;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServer.class)
class PodAgentsIT {
  private final LocalNamespace cluster;
  private final PodAgents agents;

  PodAgentsIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.agents = PodAgents.in(cluster.client(), cluster.namespace());
  }

  @Test
  void shouldBeAsTheGroupHasRecordedThemWhateverHasBecomeOfThePlugin() {
    // Given
    createPlugin(9191);
    var recorded = new AgentsByPlugin(Map.of()).with("redis-v1.0.0", new Agents(9090, "", true));
    createGroup(recorded.text());
    // When
    var first = agents.of(pod("redis-v1.0.0"));
    cluster.named(Plugin.class, "redis-v1.0.0").delete();
    // Then
    assertThat(first).contains(new Agents(9090, "", true));
    assertThat(agents.of(pod("redis-v1.0.0"))).isEqualTo(first);
  }

  @Test
  void shouldBeAsThePluginSaysWhereAnEarlierEngineHasRecordedNone() {
    // Given
    createPlugin(9191);
    createGroup("");
    // Then
    assertThat(agents.of(pod("redis-v1.0.0"))).contains(new Agents(9191, "", false));
    assertThat(agents.of(pod("redis-v0.9.0"))).isEmpty();
    assertThat(agents.of(pod(""))).isEmpty();
  }

  private void createPlugin(int port) {
    cluster.createPlugin(
        yaml -> yaml.replace("  runtimes:", "  agent: {port: %d}%n  runtimes:".formatted(port)));
  }

  private void createGroup(String recorded) {
    var group = new Group();
    group.setMetadata(
        new ObjectMetaBuilder()
            .withName("cache-db-g")
            .withLabels(Labels.selector("cache", "db", "g"))
            .withAnnotations(Map.of(Labels.AGENTS, recorded))
            .build());
    group.setSpec(
        new GroupSpec(
            "cache",
            "db",
            "redis",
            "g",
            new PluginRef("redis", "1.0.0"),
            new RuntimeRef("redis", "7.0"),
            RunState.RUNNING,
            1,
            null,
            null,
            null,
            Map.of(),
            null,
            null));
    cluster.create(group);
  }

  private PodState pod(String plugin) {
    return new PodState(
        new PodBuilder()
            .withNewMetadata()
            .withNamespace(cluster.namespace())
            .withName("cache-db-g-0")
            .withLabels(Labels.of("cache", "db", "g", plugin))
            .endMetadata()
            .build());
  }
}
