package io.middleware.engine.planning.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.planning.Fixtures;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DerivedValuesTest {
  private static final List<Map<String, Object>> USES =
      List.of(
          Map.of(
              "app", "other",
              "component", "db",
              "type", "redis",
              "groups", List.of(Map.of("name", "other-db-main"))));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "app + '/' + component + ' ' + runtime.version | cache/sentinel 7.0",
        "components['redis-nodes'].groups.map(g, g.name).join(' ') | cache-redis-nodes-shard-0 cache-redis-nodes-shard-1",
        "string(components['redis-nodes'].groups.map(g, g.replicas)[0]) | 3",
        "components['redis-nodes'].groups[1].services.map(s, s.endpoint + '=' + s.name + ':' + string(s.port))[0] | rw=cache-redis-nodes-shard-1-rw:6379",
        "uses.map(u, u.app + '/' + u.component + ':' + u.groups[0].name)[0] | other/db:other-db-main",
        "components['redis-nodes'].groups.map(g, g.services.map(s, s.endpoint).join('+')).join(' ') | rw rw+tls",
        "components.size() | 2",
        "components.?none.orValue(null) |",
        "components.?none |",
      })
  void shouldSeeTheComponentsOfTheAppAndOfOthers(String expression, String expected) {
    // When
    var derived = derive(expression).derived().get("sentinel");
    // Then
    assertThat(derived.get("monitor"))
        .satisfies(
            value -> assertThat(value == null ? null : String.valueOf(value)).isEqualTo(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "components['none'].type | 'none'",
        "components.map(c, c) | it is neither a text, nor a number, nor true or false",
        "components.map( | mismatched input",
      })
  void shouldSayWhyThereIsNoValue(String expression, String why) {
    assertThatThrownBy(() -> derive(expression))
        .isInstanceOf(AppRefusedException.class)
        .hasMessageStartingWith(
            "PluginInvalid: Plugin redis 1.0.0: componentTypes[sentinel].parameters[monitor].derived has no value for component sentinel: ")
        .hasMessageContaining(why)
        .hasMessageEndingWith("; set monitor in its values");
  }

  @Test
  void shouldNameTheExpressionThatCannotBeRead() {
    assertThat(DerivedValues.problems(fixtures("nope.x", Map.of()).plugin()))
        .singleElement()
        .asString()
        .startsWith(
            "Plugin redis 1.0.0: componentTypes[sentinel].parameters[monitor].derived: (1:1): ")
        .contains("undeclared reference to 'nope'");
  }

  /** An App that has typed it goes on as it was, also where the expression fails. */
  @Test
  void shouldDeriveNothingThatTheAppSets() {
    // Given
    var app = fixtures("components['none'].type", Map.of("monitor", "typed"));
    // When
    var desired = app.deriving(USES);
    // Then
    assertThat(desired.components().get("sentinel").derived()).isNull();
    assertThat(desired.config(desired.components().get("sentinel"), "all"))
        .containsEntry("monitor", "typed");
  }

  private static DesiredApp derive(String expression) {
    return fixtures(expression, Map.of()).deriving(USES);
  }

  private static DesiredApp fixtures(String expression, Map<String, Object> values) {
    return new Fixtures(
            Fixtures.ROOT,
            Map.of(
                "plugin",
                Map.of(
                    "spec.componentTypes.1.parameters",
                    List.of(Map.of("name", "monitor", "derived", expression)),
                    "spec.componentTypes.0.endpoints",
                    List.of(
                        Map.of("name", "rw", "role", "Primary", "port", 6379),
                        Map.of("name", "tls", "port", 6380, "tls", "certificate"))),
                "app",
                Map.of(
                    "spec.components.1.values",
                    values,
                    "spec.components.0.groups.1.values",
                    Map.of("certificate", Map.of("secretRef", Map.of("name", "shard-1"))))))
        .asked();
  }
}
