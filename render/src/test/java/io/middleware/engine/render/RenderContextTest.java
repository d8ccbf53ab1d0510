package io.middleware.engine.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.render.expression.CelEnvironment;
import io.middleware.engine.render.guard.OwnerLabels;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RenderContextTest {

  @Test
  void shouldOfferEveryVariableThatTemplatesMayName() {
    // When
    var variables = Contexts.standard().variables();
    // Then
    assertThat(variables).containsOnlyKeys(CelEnvironment.variableNames());
  }

  @Test
  void shouldHandInMapsSortedIntegersAsLongAndNoNulls() {
    // Given
    Map<String, Object> config = new HashMap<>();
    config.put("b", 1);
    config.put("a", Arrays.asList((short) 2, null, new BigDecimal("0.5")));
    config.put("c", null);
    config.put("d", BigInteger.TWO.pow(80));
    // When
    var variables = Contexts.with(Map.of("config", config)).variables();
    // Then
    var handedIn = Trees.tree(variables.get("config"));
    assertThat(new ArrayList<>(handedIn.keySet())).containsExactly("a", "b", "d");
    assertThat(handedIn)
        .containsEntry("a", List.of(2L, 0.5))
        .containsEntry("b", 1L)
        .containsEntry("d", 0x1p80);
  }

  @Test
  void shouldLetTheNearestConfigurationValueWin() {
    // Given
    Map<String, Object> group = new HashMap<>();
    group.put("maxmemory", "2gb");
    group.put("databases", null);
    // When
    var merged =
        ConfigValues.merge(
            Map.of("maxmemory", "0", "databases", 16, "appendonly", "no"),
            Map.of("maxmemory", "1gb", "appendonly", "yes"),
            group);
    // Then
    assertThat(merged)
        .containsExactly(
            Map.entry("appendonly", "yes"),
            Map.entry("databases", 16),
            Map.entry("maxmemory", "2gb"));
  }

  @Test
  void shouldKeepThePluginOutOfTheLabelsThatNeverChange() {
    // Given
    var labels = new OwnerLabels("cache", "redis-nodes", "shard-0", "redis-v1.0.0");
    // Then
    assertThat(labels.constant())
        .containsOnlyKeys(OwnerLabels.APP, OwnerLabels.COMPONENT, OwnerLabels.GROUP);
    assertThat(labels.all())
        .containsAllEntriesOf(labels.constant())
        .containsEntry(OwnerLabels.PLUGIN, "redis-v1.0.0")
        .hasSize(4);
  }
}
