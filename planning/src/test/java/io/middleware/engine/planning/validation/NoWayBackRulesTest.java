package io.middleware.engine.planning.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.AgentsByPlugin;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.planning.Fixtures;
import io.middleware.engine.planning.app.DeployedGroup;
import io.middleware.engine.planning.app.ObservedApp;
import io.middleware.engine.planning.app.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An App at 7.2 is edited back to 7.0, by a Plugin that allows that. */
class NoWayBackRulesTest {
  private static final Object BACK =
      List.of(
          Map.of("version", "7.0", "upgradesFrom", List.of("7.2")),
          Map.of("version", "7.2", "upgradesFrom", List.of("7.0")));

  private static final Object FORTH =
      List.of(Map.of("version", "7.0"), Map.of("version", "7.2", "upgradesFrom", List.of("7.0")));

  @Test
  void shouldGoByThePluginWithWhichTheGroupWasRendered() {
    // When
    var refusal = refusal(plugin(List.of("7.0")), "", true);
    // Then
    assertThat(refusal)
        .hasValueSatisfying(
            it ->
                assertThat(it.message())
                    .startsWith(
                        "spec.runtime.version: redis-nodes cannot go back to redis 7.0: group shard-0 has started with redis 7.2, from which there is no way back; keep the version"));
  }

  @Test
  void shouldAllowItWhereNothingIsSaid() {
    assertThat(refusal(plugin(List.of()), "", true)).isEmpty();
  }

  @Test
  void shouldAllowItWhileNoPodHasStarted() {
    assertThat(refusal(plugin(List.of("7.0")), "VersionUpgrade", false)).isEmpty();
    assertThat(refusal(plugin(List.of("7.0")), "VersionUpgrade", true)).isPresent();
  }

  @Test
  void shouldGoByTheFinalHooksOfUpgradesOnly() {
    assertThat(refusal(hook("VersionUpgrade"))).isPresent();
    assertThat(refusal(hook("Config"))).isEmpty();
  }

  private static Map<String, String> hook(String type) {
    return Map.of(
        "middleware.io/unfinished",
        "VersionUpgrade",
        "middleware.io/no-way-back",
        """
        {"task": "2-hooked-redis-nodes", "hook": "hook after (action finalize) has begun", "type": "%s"}
        """
            .formatted(type));
  }

  private static Optional<Refusal> refusal(Map<String, String> annotations) {
    return refusal(FORTH, plugin(List.of()), annotations, false);
  }

  /** It has never served, and must be corrected. */
  @Test
  void shouldAllowItForAFirstDeploymentThatHasNotFinished() {
    assertThat(refusal(plugin(List.of("7.0")), "Provision,NeverFinished", true)).isEmpty();
  }

  private static Optional<Refusal> refusal(
      PluginSpec rendered, String unfinished, boolean started) {
    return refusal(BACK, rendered, Map.of("middleware.io/unfinished", unfinished), started);
  }

  private static Optional<Refusal> refusal(
      Object versions, PluginSpec rendered, Map<String, String> annotations, boolean started) {
    var fixtures =
        new Fixtures(
            Fixtures.ROOT,
            Map.of(
                "plugin",
                Map.of("spec.runtimes.0.versions", versions),
                "components",
                Map.of(
                    "items.0.spec.runtime.version",
                    "7.2",
                    "items.0.metadata.annotations",
                    annotations)));
    var group =
        new DeployedGroup(
            Optional.of(rendered),
            List.of(),
            new AgentsByPlugin(Map.of()),
            Optional.of(new RuntimeRef("redis", "7.2")),
            started);
    var deployed =
        fixtures.deployed().stream()
            .map(
                one ->
                    one.component().equals("redis-nodes")
                        ? one.with(Map.of("shard-0", group))
                        : one)
            .toList();
    return new NoWayBackRules(
            fixtures.desiredApp(), new ObservedApp(deployed, List.of(), List.of()))
        .refusal();
  }

  private static PluginSpec plugin(List<String> noWayBackTo) {
    return new Fixtures(
            Fixtures.ROOT,
            Map.of(
                "plugin",
                Map.of(
                    "spec.runtimes.0.versions",
                    List.of(Map.of("version", "7.2", "noWayBackTo", noWayBackTo)))))
        .desiredApp()
        .plugin();
  }
}
