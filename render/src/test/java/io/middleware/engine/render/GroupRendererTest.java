package io.middleware.engine.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.middleware.engine.api.BackupSettings;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.RunState;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.backup.BackupStoreSpec;
import io.middleware.engine.api.plugin.AgentSettings;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.ConfigMapKey;
import io.middleware.engine.api.plugin.Endpoint;
import io.middleware.engine.api.plugin.EndpointRole;
import io.middleware.engine.api.plugin.Parameter;
import io.middleware.engine.api.plugin.ParameterEffect;
import io.middleware.engine.api.plugin.ParameterType;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.plugin.RuntimeOffer;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.api.plugin.RuntimeVersion;
import io.middleware.engine.api.plugin.TemplateSource;
import io.middleware.engine.render.guard.RenderedObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class GroupRendererTest {
  private static final String TEXT =
      """
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${name}-text"}
      data: {image: "${images.redis}", databases: "${string(config.databases)}"}
      """;
  private static final Map<String, Object> TREE =
      Map.of(
          "apiVersion",
          "v1",
          "kind",
          "ConfigMap",
          "metadata",
          Map.of("name", "${name}"),
          "data",
          Map.of("replicas", "${string(replicas)}"));

  private final GroupRenderer renderer =
      new GroupRenderer(
          source -> source.key().equals("cm.yaml") ? TEXT : "",
          BackupSources.NONE,
          "middleware-system",
          Duration.ofHours(1));

  @Test
  void shouldRenderTreesAndTextsWithDefaultsAndImages() {
    var objects = render(group("redis", "7.0", RunState.RUNNING), TREE);
    assertThat(objects)
        .extracting(RenderedObject::name, object -> object.tree().get("data"))
        .containsExactly(
            tuple("cache-db-g", Map.of("replicas", "3")),
            tuple("cache-db-g-text", Map.of("image", "redis:7.0", "databases", "16")));
  }

  @Test
  void shouldMakeAServiceForEachEndpoint() {
    // Given
    var endpoints =
        List.of(
            new Endpoint("rw", EndpointRole.PRIMARY, 6379),
            new Endpoint("all", EndpointRole.ANY, 6379),
            new Endpoint("tls", EndpointRole.PRIMARY, 6380, null, "certificate"));
    // When
    var objects =
        renderer.render(
            plugin(TREE, endpoints), "shop", group("redis", "7.0", RunState.RUNNING), "");
    // Then
    assertThat(objects.inOrder())
        .filteredOn(object -> object.kind().kind().equals("Service"))
        .extracting(
            RenderedObject::name,
            object -> at(object.tree(), "metadata", "annotations"),
            object -> at(object.tree(), "spec", "selector"))
        .containsExactly(
            tuple(
                "cache-db-g-rw",
                Map.of(Labels.ENDPOINT, "rw Primary 6379"),
                matchingNoPod(Labels.selector("cache", "db", "g"))),
            tuple(
                "cache-db-g-all",
                Map.of(Labels.ENDPOINT, "all Any 6379"),
                Labels.selector("cache", "db", "g")));
    assertThat(objects.inOrder())
        .allSatisfy(
            object ->
                assertThat(at(object.tree(), "metadata", "labels"))
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsEntry(Labels.APP, "cache"));
  }

  private static Map<String, String> matchingNoPod(Map<String, String> selector) {
    var others = new HashMap<>(selector);
    others.put(Labels.ENDPOINT, "Primary");
    return others;
  }

  private static Object at(Map<String, Object> tree, String outer, String inner) {
    return ((Map<?, ?>) tree.get(outer)).get(inner);
  }

  @Test
  void shouldWantNoPodsWhenStopped() {
    assertThat(render(group("redis", "7.0", RunState.STOPPED), TREE).getFirst().tree().get("data"))
        .isEqualTo(Map.of("replicas", "0"));
  }

  @Test
  void shouldRefuseWhatTheGuardRefuses() {
    var role = Map.<String, Object>of("apiVersion", "v1", "kind", "Node", "metadata", Map.of());
    assertThatThrownBy(() -> render(group("redis", "7.0", RunState.RUNNING), role))
        .isInstanceOf(OutputRefusedException.class)
        .hasMessageContaining("v1 Node is not allowed");
  }

  @Test
  void shouldRefuseHotParametersOfPodsThatNobodyAsks() {
    assertThatThrownBy(
            () ->
                renderer.render(
                    plugin(ParameterEffect.HOT, TREE),
                    "shop",
                    group("redis", "7.0", RunState.RUNNING),
                    ""))
        .isInstanceOf(OutputRefusedException.class)
        .hasMessageContaining("renders no StatefulSet")
        .hasMessageContaining("databases must not be Hot");
  }

  @Test
  void shouldSayWhatThePluginLacks() {
    assertThatThrownBy(() -> render(group("redis", "9", RunState.RUNNING), TREE))
        .isInstanceOf(NoSuchElementException.class)
        .hasMessage("plugin redis 1.0.0 does not offer runtime redis 9");
    assertThatThrownBy(() -> render(group("kafka", "7.0", RunState.RUNNING), TREE))
        .hasMessage("plugin redis 1.0.0 has no component type kafka");
  }

  @Test
  void shouldLookUpAStoreOnceForOnePlan() {
    // Given
    var lookUps = new ArrayList<String>();
    var sources =
        new BackupSources() {
          @Override
          public Optional<BackupStoreSpec> store(String namespace, String name) {
            lookUps.add("store " + name);
            return Optional.of(
                new BackupStoreSpec(null, new BackupStoreSpec.Folder("backups", "redis")));
          }

          @Override
          public Optional<BackupStatus> backup(String namespace, String name) {
            lookUps.add("backup " + name);
            return Optional.empty();
          }
        };
    var plan =
        new GroupRenderer(source -> TEXT, sources, "middleware-system", Duration.ofHours(1))
            .forOnePlan();
    var plugin = plugin(ParameterEffect.RESTART, TREE);
    // When
    for (var group : List.of("shard-0", "shard-1")) {
      plan.render(plugin, "shop", backedUp(group), "");
      plan.backups().backup("shop", "monday");
    }
    // Then
    assertThat(lookUps).containsExactly("store nightly", "backup monday");
  }

  private static GroupSpec backedUp(String group) {
    var backup = new BackupSettings(true, "@daily", 7, "nightly", null, null);
    return new GroupSpec(
        "cache",
        "db",
        "redis",
        group,
        new PluginRef("redis", "1.0.0"),
        new RuntimeRef("redis", "7.0"),
        RunState.RUNNING,
        3,
        null,
        null,
        null,
        null,
        null,
        backup);
  }

  private List<RenderedObject> render(GroupSpec group, Map<String, Object> tree) {
    return renderer.render(plugin(ParameterEffect.RESTART, tree), "shop", group, "").inOrder();
  }

  private static PluginSpec plugin(Map<String, Object> tree, List<Endpoint> endpoints) {
    return plugin(ParameterEffect.RESTART, tree, endpoints);
  }

  private static PluginSpec plugin(ParameterEffect effect, Map<String, Object> tree) {
    return plugin(effect, tree, null);
  }

  private static PluginSpec plugin(
      ParameterEffect effect, Map<String, Object> tree, List<Endpoint> endpoints) {
    var type =
        new ComponentType(
            "redis",
            List.of(
                new Parameter(
                    "databases", ParameterType.INTEGER, 16, null, null, null, null, effect, null)),
            null,
            List.of(
                new TemplateSource(tree, null),
                new TemplateSource(null, new ConfigMapKey("texts", "cm.yaml"))),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            endpoints,
            null,
            null,
            null);
    return new PluginSpec(
        "redis",
        "1.0.0",
        List.of(
            new RuntimeOffer(
                "redis",
                List.of(new RuntimeVersion("7.0", Map.of("redis", "redis:7.0"), null, null)))),
        null,
        null,
        null,
        null,
        new AgentSettings(9000, null),
        null,
        null,
        null,
        List.of(type));
  }

  private static GroupSpec group(String type, String version, RunState state) {
    return new GroupSpec(
        "cache",
        "db",
        type,
        "g",
        new PluginRef("redis", "1.0.0"),
        new RuntimeRef("redis", version),
        state,
        3,
        null,
        null,
        null,
        null,
        null,
        null);
  }
}
