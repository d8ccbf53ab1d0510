package io.middleware.engine.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.render.expression.RenderBudget;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A template that is rendered once for each element of a list. */
class ForEachTest {
  private static final TemplateCompiler COMPILER = new TemplateCompiler();

  @Test
  void shouldMakeOneObjectForEachMember() {
    // When
    var services = render(service("${name}-${string(ordinal)}"), "lists.range(replicas)", 3);
    // Then
    assertThat(names(services)).containsExactly("db-0", "db-1", "db-2");
    assertThat(services).extracting(it -> it.get("spec")).contains(Map.of("port", 9092));
  }

  @Test
  void shouldGiveTheElementAndItsIndex() {
    assertThat(
            names(
                render(
                    service("${item.name}-${string(ordinal)}"),
                    "[{'name': 'in'}, {'name': 'out'}]",
                    1)))
        .containsExactly("in-0", "out-1");
  }

  @Test
  void shouldMakeNoneWithoutElements() {
    assertThat(render(service("${name}-${string(ordinal)}"), "lists.range(replicas)", 0)).isEmpty();
  }

  @Test
  void shouldLeaveOutElementsWhoseObjectIsDropped() {
    // Given
    var yaml =
        "${ordinal == 1 ? optional.none() : optional.of({'kind': 'A', 'metadata': {'name': string(item)}})}";
    // When
    var objects =
        COMPILER
            .compileForEach("t", Map.of(), "\"%s\"".formatted(yaml), "['a', 'b', 'c']")
            .render(of(1), new RenderBudget());
    // Then
    assertThat(names(objects)).containsExactly("a", "c");
  }

  @Test
  void shouldNameTemplateAndElementsThatGiveTheSameName() {
    assertThatThrownBy(() -> render(service("${name}"), "lists.range(replicas)", 2))
        .isInstanceOf(TemplateException.class)
        .hasMessageContaining("redis.templates[1] (element 1 of forEach): metadata.name")
        .hasMessageContaining("element 0 has the same Service/db: use item or ordinal in the name");
  }

  @Test
  void shouldSayWhatIsNoList() {
    assertFails("replicas", 1, "forEach (1:1): must be a list");
    assertFails("config.ports", 1, "forEach (1:");
    assertFails("lists.range(replicas", 1, "forEach (1:");
    assertFails("lists.range(51)", 1, "gives 51 elements, and may give at most 50");
  }

  @Test
  void shouldKnowTheVariablesOfElementsOnlyThere() {
    assertThatThrownBy(() -> COMPILER.compile("t", service("${string(ordinal)}")))
        .hasMessageContaining("undeclared reference to 'ordinal'");
    assertFails("[ordinal]", 1, "undeclared reference to 'ordinal'");
  }

  private static void assertFails(String forEach, int replicas, String why) {
    assertThatThrownBy(() -> render(service("${string(ordinal)}"), forEach, replicas))
        .isInstanceOf(TemplateException.class)
        .hasMessageContaining(why);
  }

  private static Map<String, Object> service(String name) {
    return Map.of(
        "apiVersion",
        "v1",
        "kind",
        "Service",
        "metadata",
        Map.of("name", name),
        "spec",
        Map.of("port", "${9092}"));
  }

  private static List<Map<String, Object>> render(
      Map<String, Object> template, String forEach, int replicas) {
    return COMPILER
        .compileForEach("redis.templates[1]", template, "", forEach)
        .render(of(replicas), new RenderBudget());
  }

  private static RenderContext of(int replicas) {
    return Contexts.with(Map.of("name", "db", "replicas", replicas));
  }

  private static List<Object> names(List<Map<String, Object>> objects) {
    return objects.stream().<Object>map(it -> Trees.tree(it.get("metadata")).get("name")).toList();
  }
}
