package io.middleware.engine.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.render.expression.ConditionExpression;
import io.middleware.engine.render.expression.ConditionExpression.UndecidedException;
import io.middleware.engine.render.expression.ConditionScope;
import io.middleware.engine.render.expression.UnreadableObjectException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expressions of IntegrationTests and LoadTests, whose readings people are shown. */
class ExpressionOfTestsTest {
  private static final Map<String, Object> APP =
      Map.of(
          "metadata", Map.of("name", "cache", "generation", 3),
          "spec", Map.of("replicas", 3),
          "status",
              Map.of(
                  "phase",
                  "Changing",
                  "conditions",
                  List.of(Map.of("type", "Ready", "status", "False"))));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "object('App', 'cache').status.phase == 'Ready'  | false | object('App', 'cache').status.phase = Changing",
        "object('middleware.io/v1', 'App', 'cache').spec.replicas >= 3 | true | object('middleware.io/v1', 'App', 'cache').spec.replicas = 3",
        "objects.all(o, o.status.phase == 'Ready')       | false | objects = 1 items, o.status.phase = Changing",
        "size(objects) == 2                              | false | size(objects) = 1",
        "round == 2 && step == 'up' && test == 'upgrade' | true  | round = 2, step = up, test = upgrade",
        "object('App', 'cache').status.conditions.exists(c, c.type == 'Ready' && c.status == 'True') | false | object('App', 'cache').status.conditions = 1 items, c.type = Ready, c.status = False",
        "object('App', 'cache').status.conditions[0].status == 'True' | false | object('App', 'cache').status.conditions[0].status = False",
        "has(object('App', 'cache').status.plan)         | false | has(object('App', 'cache').status.plan) = false",
        "object('App', test == 'x' ? 'none' : 'cache').metadata.generation == 3 | true | test = upgrade",
        "true                                            | true  | ",
      })
  void shouldSayWhatItHasFound(String text, boolean truth, String actual) throws Exception {
    // When
    var found =
        ConditionExpression.of(ConditionScope.INTEGRATION_TEST, text).holds(values(), this::object);
    // Then
    assertThat(found.isTrue()).isEqualTo(truth);
    assertThat(found.actual()).isEqualTo(actual == null ? "" : actual);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "object('App', 'none').status.phase == 'Ready' | App none does not exist",
        "object('App', 'cache').status.plan == ''      | key 'plan' is not present in map. (for a key that may be absent: map.?key)",
        "object('Sec' + 'ret', 'x').data.a == ''       | a Secret is never read",
        "object('App', 'cache').status.phase == 'Changing' && object('App', 'none').y == 2 | App none does not exist (object('App', 'cache').status.phase = Changing)",
      })
  void shouldSayWhyItIsUndecided(String text, String why) {
    var expression = ConditionExpression.of(ConditionScope.INTEGRATION_TEST, text);
    assertThatThrownBy(() -> expression.holds(values(), this::object))
        .isInstanceOf(UndecidedException.class)
        .hasMessage(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "objct('App', 'cache').x == 1 | (1:6): undeclared reference to 'objct' (in container '')",
        "target.x == 1                | (1:1): undeclared reference to 'target' (in container '')",
        "object('App').x == 1         | (1:7): found no matching overload for 'object' applied to '(string)' (candidates: (string, string),(string, string, string))",
        "round + 1                    | (1:1): it gives a value of type int, not true or false",
        "object('v1', 'Secret', 'x').data.a == '' | (1:1): a Secret is never read",
        "' '                          | (1:1): the expression is empty",
      })
  void shouldSayWhereItIsWrong(String text, String problem) {
    var given = text.equals("' '") ? " " : text;
    assertThat(ConditionExpression.problems(ConditionScope.INTEGRATION_TEST, given))
        .containsExactly(problem);
  }

  @Test
  void shouldGiveTheValueToInject() throws Exception {
    // Given
    var host =
        ConditionExpression.of(ConditionScope.INJECTION, "target.metadata.name + '.' + namespace");
    // When Then
    assertThat(host.value(Map.of("target", APP, "namespace", "shop"), this::object))
        .isEqualTo("cache.shop");
    assertThat(host.variables()).containsExactly("namespace", "target");
    assertThat(ConditionExpression.problems(ConditionScope.INJECTION, "size(test)"))
        .containsExactly("(1:1): it gives a value of type int, not a text");
  }

  private Map<String, Object> object(Optional<String> apiVersion, String kind, String name) {
    if (!name.equals("cache")) {
      throw new UnreadableObjectException("%s %s does not exist".formatted(kind, name));
    }
    return APP;
  }

  private static Map<String, Object> values() {
    return Map.of(
        "namespace", "shop", "test", "upgrade", "round", 2, "step", "up", "objects", List.of(APP));
  }
}
