package io.middleware.engine.planning.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.planning.Fixtures;
import io.middleware.engine.planning.app.Refusal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Plugin asks for fewer databases than replicas; three replicas are deployed. */
class ValueRulesTest {
  private static final String REFUSED =
      "spec.components[redis-nodes].groups[shard-0]: databases must be less than the replicas";

  @Test
  void shouldRefuseTheEditThatBreaksARule() {
    assertThat(refusal(2, Map.of("spec.components.0.groups.0.replicas", 1)))
        .contains(new Refusal("InvalidSpec", REFUSED));
  }

  /** It breaks the rule of a newer Plugin, and must remain operable. */
  @ParameterizedTest
  @CsvSource({
    "spec.state, Stopped",
    "spec.components.0.groups.0.replicas, 4",
    "spec.components.0.groups.0.replicas, 2",
    "spec.runtime.version, 7.2",
    "spec.components.0.values, "
  })
  void shouldRefuseNoEditOfAnAppThatBrokeTheRuleBefore(String field, String value) {
    Object typed = value != null && value.length() == 1 ? (Object) Integer.valueOf(value) : value;
    var edit = new HashMap<String, Object>();
    edit.put(field, typed == null ? Map.of("maxmemory", "200mb") : typed);
    assertThat(refusal(8, edit)).isEmpty();
  }

  @Test
  void shouldAskForAllRulesWhereAnEditBringsAnotherVersionOfThePlugin() {
    // Given
    var fixtures =
        new Fixtures(
            Fixtures.ROOT,
            Map.of(
                "plugin", rules(8),
                "components", Map.of("items.0.spec.plugin.version", "0.9.0")));
    // When
    var refusal = refusal(fixtures);
    // Then
    assertThat(refusal)
        .hasValueSatisfying(it -> assertThat(it.message()).startsWith(REFUSED + "; "));
  }

  @Test
  void shouldAskNothingOfAGroupWithoutPods() {
    assertThat(refusal(2, Map.of("spec.components.0.groups.0.replicas", 0))).isEmpty();
  }

  /** A start would otherwise be refused, when nobody has time to think about values. */
  @Test
  void shouldRefuseAnEditOfAStoppedAppByTheReplicasThatItWillHave() {
    // When
    var refusal =
        refusal(2, Map.of("spec.state", "Stopped", "spec.components.0.groups.0.replicas", 1));
    // Then
    assertThat(refusal).contains(new Refusal("InvalidSpec", REFUSED));
  }

  /** Values are written by the task Config, which comes before the replicas. */
  @Test
  void shouldRefuseAnEditThatBreaksARuleBetweenItsTasks() {
    // Given
    var edit =
        Map.<String, Object>of(
            "spec.components.0.groups.0.replicas",
            6,
            "spec.components.0.groups.0.values",
            Map.of("databases", 4));
    // When
    var refusal = refusal(2, edit);
    // Then
    assertThat(refusal)
        .contains(
            new Refusal(
                "InvalidSpec",
                REFUSED
                    + "; it has 3 replicas while its values are changed, and 6 only afterwards: edit the replicas first, and the values when that change has finished"));
  }

  @Test
  void shouldAllowThatWhereTheReplicasComeFirst() {
    // Given
    var edit =
        Map.<String, Object>of(
            "spec.components.0.groups.0.replicas",
            6,
            "spec.components.0.groups.0.values",
            Map.of("databases", 4));
    var plugin = new HashMap<>(rules(2));
    plugin.put("spec.taskOrder", List.of("Resources", "Config"));
    // When
    var refusal = refusal(new Fixtures(Fixtures.ROOT, Map.of("app", edit, "plugin", plugin)));
    // Then
    assertThat(refusal).isEmpty();
  }

  private static Optional<Refusal> refusal(int databases, Map<String, Object> app) {
    return refusal(new Fixtures(Fixtures.ROOT, Map.of("app", app, "plugin", rules(databases))));
  }

  private static Map<String, Object> rules(int databases) {
    return Map.of(
        "spec.componentTypes.0.values",
        Map.of("databases", databases),
        "spec.componentTypes.0.rules",
        List.of(
            Map.of(
                "cel",
                "config.databases < replicas",
                "message",
                "databases must be less than the replicas")));
  }

  private static Optional<Refusal> refusal(Fixtures fixtures) {
    return AppValidation.refusal(fixtures.desiredApp(), fixtures.observedApp(), Fixtures.ENDPOINTS);
  }
}
