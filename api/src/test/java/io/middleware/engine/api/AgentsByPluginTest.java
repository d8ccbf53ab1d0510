package io.middleware.engine.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.middleware.engine.api.AgentsByPlugin.Agents;
import io.middleware.engine.api.plugin.PluginSpec;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentsByPluginTest {
  private static final AgentsByPlugin NONE = new AgentsByPlugin(Map.of());

  @Test
  void shouldReadWhatItHasWritten() {
    // Given
    var agents =
        NONE.with("redis-v1.0.0", new Agents(9090, "", true))
            .with("redis-v1.1.0", new Agents(9191, "agent-tls", false))
            .with("redis-v1.2.0", new Agents(0, "", false));
    // When
    var read = AgentsByPlugin.of(group(agents.text()));
    // Then
    assertThat(read).isEqualTo(agents);
    assertThat(read.find("redis-v1.0.0")).contains(new Agents(9090, "", true));
    assertThat(read.find("redis-v2.0.0")).isEmpty();
  }

  @Test
  void shouldKeepTheLastFewAndTheSameOnceOnly() {
    // Given
    var all = NONE;
    for (var i = 0; i < 9; i++) {
      all = all.with("p-v" + i, new Agents(9000 + i, "", false));
    }
    // When
    var again = all.with("p-v7", new Agents(1, "", false));
    // Then
    assertThat(again.plugins()).containsOnlyKeys("p-v7", "p-v8", "p-v6", "p-v5");
    assertThat(again.with("p-v7", new Agents(1, "", false)).text()).isEqualTo(again.text());
  }

  @Test
  void shouldIgnoreWhatSomebodyHasBroken() {
    assertThat(AgentsByPlugin.of(group("redis-v1.0.0=x// db-v1=9090//")).plugins())
        .containsOnlyKeys("db-v1");
    assertThat(AgentsByPlugin.of(group(null)).plugins()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "true,  'db',   true", "true,  'pool', false", "true,  'other', true",
    "false, 'db',   true", "false, 'pool', false", "false, 'other', false",
  })
  void shouldSwitchOverAsTheTypeSays(boolean ofPlugin, String type, boolean expected)
      throws IOException {
    // Given
    var plugin =
        new ObjectMapper()
            .readValue(
                """
                {"agent": {"port": 9090}, "switchover": %s, "componentTypes": [
                  {"name": "db", "switchover": true}, {"name": "pool", "switchover": false}, {"name": "other"}]}
                """
                    .formatted(ofPlugin),
                PluginSpec.class);
    // When Then
    assertThat(Agents.of(plugin, type).switchover()).isEqualTo(expected);
  }

  private static Group group(String text) {
    var group = new Group();
    group.setMetadata(
        new ObjectMetaBuilder()
            .withAnnotations(text == null ? null : Map.of(Labels.AGENTS, text))
            .build());
    return group;
  }
}
