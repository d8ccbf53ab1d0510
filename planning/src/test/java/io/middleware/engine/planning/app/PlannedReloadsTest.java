package io.middleware.engine.planning.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.planning.Fixtures;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlannedReloadsTest {
  private static final String VALUES = "spec.components.0.values";

  @Test
  void shouldReloadTheGroupsWhoseHotValuesChange() {
    // Given
    var one =
        Map.of(
            VALUES,
            Map.of("maxmemory", "100mb"),
            "spec.components.0.groups.1.values",
            Map.of("appendonly", "yes"));
    // Then
    assertThat(reloads(Map.of("app", one))).containsExactly("cache-redis-nodes-shard-1");
    assertThat(reloads(Map.of("app", values("200mb", 16))))
        .containsExactlyInAnyOrder("cache-redis-nodes-shard-0", "cache-redis-nodes-shard-1");
  }

  @Test
  void shouldReloadNothingWhereOnlyOtherValuesChange() {
    assertThat(reloads(Map.of("app", values("100mb", 32)))).isEmpty();
  }

  @Test
  void shouldReloadNothingWithoutPods() {
    var stopped = Map.<String, Object>of("items.0.spec.state", "Stopped");
    assertThat(reloads(Map.of("app", values("200mb", 16), "components", stopped))).isEmpty();
  }

  @Test
  void shouldReloadWhatWasBegunAndNeedNotBeInForce() {
    // Given
    var begun =
        Map.<String, Object>of(
            "items.0.metadata.annotations", Map.of("middleware.io/unfinished", "Config"));
    var growing =
        Map.<String, Object>of(
            "items.0.metadata.annotations", Map.of("middleware.io/unfinished", "Storage"));
    // Then
    assertThat(reloads(Map.of("components", begun))).hasSize(2);
    assertThat(reloads(Map.of("components", growing))).isEmpty();
  }

  @Test
  void shouldReloadWhenNobodyKnowsWhatWasBefore() {
    // Given
    var desiredApp = new Fixtures(Fixtures.ROOT, Map.of()).desiredApp();
    var group = group(desiredApp, "redis-nodes", "shard-0");
    var sentinel = group(desiredApp, "sentinel", "all");
    // Then
    assertThat(PlannedReloads.areWanted(desiredApp.plugin(), group, Optional.empty(), Set.of()))
        .isTrue();
    assertThat(
            PlannedReloads.areWanted(
                desiredApp.plugin(),
                group,
                Optional.of(new PlannedReloads.RenderedFrom(group, desiredApp.plugin())),
                Set.of()))
        .isFalse();
    assertThat(PlannedReloads.areWanted(desiredApp.plugin(), sentinel, Optional.empty(), Set.of()))
        .isFalse();
  }

  @Test
  void shouldReloadAfterAnotherPluginWhichMayHaveOtherDefaults() {
    assertThat(
            reloads(
                Map.of(
                    "app", Map.of("spec.plugin.version", "1.1.0"),
                    "plugin", Map.of("spec.version", "1.1.0"))))
        .hasSize(2);
  }

  private static Set<String> reloads(Map<String, Object> edits) {
    var fixtures = new Fixtures(Fixtures.ROOT, edits);
    return PlannedReloads.of(fixtures.desiredApp(), List.copyOf(fixtures.deployed()));
  }

  private static Map<String, Object> values(String maxmemory, int databases) {
    return Map.of(VALUES, Map.of("maxmemory", maxmemory, "databases", databases));
  }

  private static GroupSpec group(DesiredApp desiredApp, String component, String group) {
    return ComponentSpecs.groupSpec(desiredApp.components().get(component), group);
  }
}
