package io.middleware.engine.render.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.render.expression.ConditionExpression.UndecidedException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ConditionExpressionTest {
  private static final Map<String, Object> PRIMARY =
      ConditionScope.node("db-0", "g", "primary", true, "r2");
  private static final Map<String, Object> REPLICA =
      ConditionScope.node("db-1", "g", "replica", false, "r2");

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
    assertThat(holds(ConditionExpression.of(ConditionScope.GROUP, text), values()))
        .isEqualTo(truth);
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
    assertThat(ConditionExpression.problems(ConditionScope.GROUP, text)).containsExactly(problem);
  }

  /** Words that CEL reserves, such as {@code namespace}, are names here. */
  @ParameterizedTest
  @MethodSource("conditions")
  void shouldKnowEveryVariableOfItsScope(ConditionScope scope) {
    assertThat(scope.variableNames())
        .allSatisfy(
            name ->
                assertThat(ConditionExpression.problems(scope, "%1$s == %1$s".formatted(name)))
                    .isEmpty());
  }

  @Test
  void shouldReadObjects() throws UndecidedException {
    // Given
    var expression =
        ConditionExpression.of(
            ConditionScope.GROUP, "object('StatefulSet', app + '-db').status.readyReplicas >= 2");
    ObjectSource two =
        (version, kind, name) ->
            Map.of("kind", kind, "status", Map.of("readyReplicas", name.length() - 6));
    // When Then
    assertThat(expression.holds(values(), two).isTrue()).isTrue();
    assertThat(expression.variables()).containsExactly("app");
  }

  @Test
  void shouldReadObjectsOfAnApiVersion() throws UndecidedException {
    // Given
    var expression =
        ConditionExpression.of(
            ConditionScope.GROUP, "object('apps/v1', 'StatefulSet', 'a').of == 'apps/v1'");
    ObjectSource versions = (version, kind, name) -> Map.of("of", version.orElse("any"));
    // When Then
    assertThat(expression.holds(values(), versions).isTrue()).isTrue();
  }

  @Test
  void shouldNotDecideWithoutTheObject() {
    // Given
    var expression =
        ConditionExpression.of(ConditionScope.GROUP, "object('Service', 'a').kind == ''");
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
    var expression =
        ConditionExpression.of(ConditionScope.GROUP, "object('Sec' + 'ret', 'a').kind == ''");
    ObjectSource any = (version, kind, name) -> Map.of("kind", kind);
    // When Then
    assertThatThrownBy(() -> expression.holds(values(), any))
        .isInstanceOf(UndecidedException.class)
        .hasMessageContaining("a Secret is never read");
  }

  @Test
  void shouldKnowTheGroupOnlyAfterAGroup() {
    assertThat(ConditionExpression.problems(ConditionScope.COMPONENT, "group == 'g'")).hasSize(1);
    assertThat(
            ConditionExpression.problems(ConditionScope.COMPONENT.answered(), "node.group == 'g'"))
        .isEmpty();
  }

  @Test
  void shouldReadAnswers() throws UndecidedException {
    // Given
    var close = ConditionExpression.of(ConditionScope.GROUP.answered(), "int(answer) < 1048576");
    // When Then
    assertThat(holds(close, answered("0"))).isTrue();
    assertThat(holds(close, answered("5242880"))).isFalse();
    assertThatThrownBy(() -> holds(close, answered("many"))).isInstanceOf(UndecidedException.class);
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
    assertThat(holds(ConditionExpression.of(ConditionScope.GROUP.sampled(), text), values))
        .isEqualTo(truth);
    assertThat(ConditionExpression.problems(ConditionScope.GROUP, text)).isNotEmpty();
  }

  @Test
  void shouldKnowWhichVariablesAreTexts() {
    assertThat(ConditionScope.GROUP.texts())
        .containsExactlyInAnyOrder("namespace", "app", "component", "group");
    assertThat(ConditionScope.COMPONENT.texts())
        .containsExactlyInAnyOrder("namespace", "app", "component");
    assertThat(ConditionScope.INTEGRATION_TEST.texts())
        .containsExactlyInAnyOrder("namespace", "test", "step");
    assertThat(ConditionScope.LOAD_TEST.texts())
        .containsExactlyInAnyOrder("namespace", "test", "target");
  }

  @Test
  void shouldNotRefuseWhatOnlyFailsWithOtherPods() {
    assertThat(ConditionExpression.problems(ConditionScope.GROUP, "nodes[7].ready")).isEmpty();
  }

  @Test
  void shouldSayWhatItReads() {
    var expression = ConditionExpression.of(ConditionScope.GROUP, "size(nodes) == replicas");
    assertThat(expression.variables()).containsExactly("nodes", "replicas");
    assertThat(expression.asksForRoles()).isFalse();
  }

  static Stream<ConditionScope> conditions() {
    return Stream.of(
            ConditionScope.GROUP,
            ConditionScope.COMPONENT,
            ConditionScope.INTEGRATION_TEST,
            ConditionScope.LOAD_TEST)
        .flatMap(scope -> Stream.of(scope, scope.answered(), scope.sampled()));
  }

  private static boolean holds(ConditionExpression expression, Map<String, Object> values)
      throws UndecidedException {
    var found = expression.holds(values, ObjectSource.NONE);
    assertThat(found.actual()).isEmpty();
    return found.isTrue();
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
