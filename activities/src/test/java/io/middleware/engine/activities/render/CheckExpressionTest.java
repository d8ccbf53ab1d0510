package io.middleware.engine.activities.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.activities.render.CheckExpression.UndecidedException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CheckExpressionTest {
  private static final Map<String, Object> PRIMARY =
      CheckScope.node("db-0", "g", "primary", true, "r2");
  private static final Map<String, Object> REPLICA =
      CheckScope.node("db-1", "g", "replica", false, "r2");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nodes.exists_one(n, n.role == 'primary')        | true",
        "nodes.filter(n, n.role == 'replica').all(n, n.ready) | false",
        "size(nodes) == replicas                         | true",
        "nodes.all(n, n.revision == nodes[0].revision)   | true",
        "runtime.version == '7.2' && app == 'cache'      | true",
        "group.startsWith('shard')                       | false",
      })
  void shouldBeTrueOrFalse(String text, boolean truth) throws UndecidedException {
    assertThat(CheckExpression.of(CheckScope.GROUP, text).holds(values())).isEqualTo(truth);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nods.all(n, n.ready)     | (1:1): undeclared reference to 'nods' (in container '')",
        "answer == '0'            | (1:1): undeclared reference to 'answer' (in container '')",
        "replicas + 1             | (1:1): it gives a value of type int, not true or false",
        "nodes.all(n, n.rol == '')| (1:1): key 'rol' is not present in map. (for a key that may be absent: map.?key)",
        "' '                      | (1:1): the expression is empty",
        "object('Secret', 'a').kind == '' | (1:1): a Secret is never read",
        "object('Service').kind == '' | (1:7): found no matching overload for 'object' applied to '(string)' (candidates: (string, string),(string, string, string))",
      })
  void shouldSayWhereItIsWrong(String text, String problem) {
    assertThat(CheckExpression.problems(CheckScope.GROUP, text)).containsExactly(problem);
  }

  /** Words that CEL reserves, such as {@code namespace}, are names here. */
  @ParameterizedTest
  @EnumSource
  void shouldKnowEveryVariableOfItsScope(CheckScope scope) {
    assertThat(scope.variableNames())
        .allSatisfy(
            name ->
                assertThat(CheckExpression.problems(scope, "%1$s == %1$s".formatted(name)))
                    .isEmpty());
  }

  @Test
  void shouldReadObjects() throws UndecidedException {
    // Given
    var expression =
        CheckExpression.of(
            CheckScope.GROUP, "object('StatefulSet', app + '-db').status.readyReplicas >= 2");
    ObjectSource two =
        (version, kind, name) ->
            Map.of("kind", kind, "status", Map.of("readyReplicas", name.length() - 6));
    // When Then
    assertThat(expression.holds(values(), two)).isTrue();
    assertThat(expression.variables()).containsExactly("app");
  }

  @Test
  void shouldReadObjectsOfAnApiVersion() throws UndecidedException {
    // Given
    var expression =
        CheckExpression.of(
            CheckScope.GROUP, "object('apps/v1', 'StatefulSet', 'a').of == 'apps/v1'");
    ObjectSource versions = (version, kind, name) -> Map.of("of", version.orElse("any"));
    // When Then
    assertThat(expression.holds(values(), versions)).isTrue();
  }

  @Test
  void shouldNotDecideWithoutTheObject() {
    // Given
    var expression = CheckExpression.of(CheckScope.GROUP, "object('Service', 'a').kind == ''");
    ObjectSource none =
        (version, kind, name) -> {
          throw new UnreadableObjectException(kind + " " + name + " does not exist");
        };
    // When Then
    assertThatThrownBy(() -> expression.holds(values(), none))
        .isInstanceOf(UndecidedException.class)
        .hasMessageContaining("Service a does not exist");
  }

  @Test
  void shouldNeverReadASecret() {
    // Given
    var expression = CheckExpression.of(CheckScope.GROUP, "object('Sec' + 'ret', 'a').kind == ''");
    ObjectSource any = (version, kind, name) -> Map.of("kind", kind);
    // When Then
    assertThatThrownBy(() -> expression.holds(values(), any))
        .isInstanceOf(UndecidedException.class)
        .hasMessageContaining("a Secret is never read");
  }

  @Test
  void shouldKnowTheGroupOnlyAfterAGroup() {
    assertThat(CheckExpression.problems(CheckScope.COMPONENT, "group == 'g'")).hasSize(1);
    assertThat(CheckExpression.problems(CheckScope.COMPONENT.answered(), "node.group == 'g'"))
        .isEmpty();
  }

  @Test
  void shouldReadAnswers() throws UndecidedException {
    // Given
    var close = CheckExpression.of(CheckScope.GROUP.answered(), "int(answer) < 1048576");
    // When Then
    assertThat(close.holds(answered("0"))).isTrue();
    assertThat(close.holds(answered("5242880"))).isFalse();
    assertThatThrownBy(() -> close.holds(answered("many"))).isInstanceOf(UndecidedException.class);
    assertThat(close.variables()).containsExactly("answer");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "result[0] < 1.0                                 | true",
        "result[0] < 1.0 && group == 'g'                   | true",
        "result.all(r, r < 0.5)                          | false",
      })
  void shouldReadSamples(String text, boolean truth) throws UndecidedException {
    // Given
    var values = new TreeMap<>(values());
    values.put("result", List.of(0.25, 0.75));
    // When Then
    assertThat(CheckExpression.of(CheckScope.GROUP.sampled(), text).holds(values)).isEqualTo(truth);
    assertThat(CheckExpression.problems(CheckScope.GROUP, text)).isNotEmpty();
  }

  @Test
  void shouldKnowWhichVariablesAreTexts() {
    assertThat(CheckScope.GROUP.texts())
        .containsExactlyInAnyOrder("namespace", "app", "component", "group");
    assertThat(CheckScope.COMPONENT.texts())
        .containsExactlyInAnyOrder("namespace", "app", "component");
  }

  @Test
  void shouldNotRefuseWhatOnlyFailsWithOtherPods() {
    assertThat(CheckExpression.problems(CheckScope.GROUP, "nodes[7].ready")).isEmpty();
  }

  @Test
  void shouldSayWhatItReads() {
    var expression = CheckExpression.of(CheckScope.GROUP, "size(nodes) == replicas");
    assertThat(expression.variables()).containsExactly("nodes", "replicas");
    assertThat(expression.asksForRoles()).isFalse();
  }

  private static Map<String, Object> answered(String answer) {
    var values = new TreeMap<>(values());
    values.put("answer", answer);
    values.put("node", REPLICA);
    return values;
  }

  private static Map<String, Object> values() {
    return Map.of(
        "namespace", "shop",
        "app", "cache",
        "component", "db",
        "group", "g",
        "runtime", Map.of("name", "redis", "version", "7.2"),
        "replicas", 2,
        "nodes", List.of(PRIMARY, REPLICA));
  }
}
