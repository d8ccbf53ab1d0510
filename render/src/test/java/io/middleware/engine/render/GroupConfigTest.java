package io.middleware.engine.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.RunState;
import io.middleware.engine.api.plugin.AgentSettings;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.Parameter;
import io.middleware.engine.api.plugin.ParameterEffect;
import io.middleware.engine.api.plugin.ParameterType;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.render.guard.ConfigurationHashes;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class GroupConfigTest {
  private static final AgentSettings AGENT = new AgentSettings(9090, null);

  @Test
  void shouldReloadHotParametersWithTheirDefaultsAsText() {
    // When
    var config = config(AGENT, Map.of("maxmemory", "200mb", "databases", 32, "timeout", 5));
    // Then
    assertThat(config.reloadable())
        .containsExactly(
            Map.entry("lazyfree", "false"),
            Map.entry("maxmemory", "200mb"),
            Map.entry("timeout", "5"));
  }

  @Test
  void shouldMarkPodsByWhatTakesARestart() {
    // Given
    var before = hashes(Map.of("maxmemory", "100mb"));
    // Then
    assertThat(hashes(Map.of("maxmemory", "200mb")).restart()).isEqualTo(before.restart());
    assertThat(hashes(Map.of("maxmemory", "200mb")).all()).isNotEqualTo(before.all());
    assertThat(hashes(Map.of("maxmemory", "100mb", "databases", 32)).restart())
        .isNotEqualTo(before.restart());
  }

  @Test
  void shouldTakeARestartForAValueThatComesOrGoesAltogether() {
    assertThat(hashes(Map.of("timeout", 5)).restart()).isNotEqualTo(hashes(Map.of()).restart());
    assertThat(hashes(Map.of("timeout", 5)).restart())
        .isEqualTo(hashes(Map.of("timeout", 6)).restart());
  }

  @Test
  void shouldTakeARestartForAllWhereThereIsNobodyToReload() {
    // When
    var config = config(null, Map.of("maxmemory", "200mb"));
    // Then
    assertThat(config.reloadable()).isEmpty();
    assertThat(config.hashes().restart()).isEqualTo(config.hashes().all());
  }

  @Test
  void shouldTakeAnotherVersionOfASecretForAnotherValue() {
    // Given
    var before = config(AGENT, Map.of("timeout", secret("1"), "databases", secret("1")));
    var hot = config(AGENT, Map.of("timeout", secret("2"), "databases", secret("1")));
    var cold = config(AGENT, Map.of("timeout", secret("1"), "databases", secret("2")));
    // Then
    assertThat(before.values()).doesNotContainKeys("timeout", "databases");
    assertThat(before.reloadable()).containsEntry("timeout", "users/app@1");
    assertThat(hot.reloadable()).containsEntry("timeout", "users/app@2");
    assertThat(hot.hashes().restart()).isEqualTo(before.hashes().restart());
    assertThat(cold.hashes().restart()).isNotEqualTo(before.hashes().restart());
  }

  private static Map<String, Object> secret(String version) {
    return new SecretReference("users", "app", version).asValue();
  }

  @Test
  void shouldHaveNoMarkWithoutConfiguration() {
    var type =
        new ComponentType(
            "redis", null, null, null, null, null, null, null, null, null, null, null, null, null,
            null);
    assertThat(GroupConfig.of(plugin(AGENT, type), group("redis", null)).hashes())
        .isEqualTo(ConfigurationHashes.NONE);
  }

  @Test
  void shouldSayWhichTypeThePluginLacks() {
    assertThatThrownBy(() -> GroupConfig.of(plugin(AGENT), group("kafka", null)))
        .isInstanceOf(NoSuchElementException.class)
        .hasMessage("plugin redis 1.0.0 has no component type kafka");
  }

  private static ConfigurationHashes hashes(Map<String, Object> values) {
    return config(AGENT, values).hashes();
  }

  private static GroupConfig config(AgentSettings agent, Map<String, Object> values) {
    var type =
        new ComponentType(
            "redis",
            List.of(
                parameter("maxmemory", "0", ParameterEffect.HOT),
                parameter("lazyfree", false, ParameterEffect.HOT),
                parameter("timeout", null, ParameterEffect.HOT),
                parameter("databases", 16, ParameterEffect.RESTART),
                parameter("port", 6379, null)),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null);
    return GroupConfig.of(plugin(agent, type), group("redis", values));
  }

  private static Parameter parameter(String name, Object byDefault, ParameterEffect effect) {
    return new Parameter(
        name, ParameterType.STRING, byDefault, null, null, null, null, effect, null);
  }

  private static PluginSpec plugin(AgentSettings agent, ComponentType... types) {
    return new PluginSpec(
        "redis", "1.0.0", null, null, null, null, null, agent, null, null, null, List.of(types));
  }

  private static GroupSpec group(String type, Map<String, Object> values) {
    return new GroupSpec(
        "cache",
        "db",
        type,
        "g",
        new PluginRef("redis", "1.0.0"),
        new RuntimeRef("redis", "7.0"),
        RunState.RUNNING,
        3,
        null,
        null,
        null,
        values,
        null,
        null);
  }
}
