package io.middleware.engine.render;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.render.expression.RenderBudget;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateSafetyTest {
  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
  private static final TemplateCompiler COMPILER = new TemplateCompiler();
  private static final CompiledTemplate TEMPLATE =
      COMPILER.compileText(
          "config",
          """
          kind: ConfigMap
          metadata: {name: "${name}", annotations: {note: "a ${config.value} b"}}
          data:
            alone: "${config.value}"
            joined: |
              first
              ${config.map(k, k + ' ' + string(config[k])).join('\\n')}
              last
          """);
  private static final List<String> METACHARACTERS =
      List.of(
          "${",
          "}",
          "$${",
          "'",
          "\"",
          "\\",
          ": ",
          "\n",
          "\r",
          "\t",
          "- ",
          "---",
          "#",
          "&a",
          "*a",
          "!!str",
          "{",
          "[",
          "]",
          ",",
          "|",
          ">",
          "%",
          "@",
          "`",
          "<<",
          "name",
          "optional.none()",
          "\0",
          "\u2028",
          "😀",
          "\uFEFF",
          "~",
          "null",
          "1e3",
          "kind: Pod",
          "hostNetwork: true");

  static Stream<String> hostileValues() {
    var random = new Random(42);
    return IntStream.range(0, 200)
        .mapToObj(
            i ->
                random
                    .ints(1 + i % 9, 0, METACHARACTERS.size())
                    .mapToObj(METACHARACTERS::get)
                    .collect(joining()));
  }

  @ParameterizedTest
  @MethodSource("hostileValues")
  void shouldTreatEveryValueAsData(String value) {
    // When
    var objects =
        TEMPLATE.render(
            Contexts.with(Map.of("config", Map.of("value", value))), new RenderBudget());
    // Then
    assertThat(objects)
        .containsExactly(
            Map.of(
                "kind", "ConfigMap",
                "metadata",
                    Map.of(
                        "name",
                        "cache-redis-nodes-shard-0",
                        "annotations",
                        Map.of("note", "a " + value + " b")),
                "data", Map.of("alone", value, "joined", "first\nvalue " + value + "\nlast\n")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "${lists.range(1000).map(a, lists.range(1000).map(b, lists.range(1000))).size()}",
        "${lists.range(9223372036854775807).size()}",
        "${[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, true)))}",
      })
  void shouldBoundTheWorkOfAnExpression(String expression) {
    // Given
    var template = COMPILER.compileText("endless", "a: \"" + expression + "\"");
    var context = Contexts.standard();
    // When
    var started = CLOCK.getCurrentThreadCpuTime();
    assertThatThrownBy(() -> template.render(context, new RenderBudget()))
        .isInstanceOf(TemplateException.class);
    // Then
    assertThat(Duration.ofNanos(CLOCK.getCurrentThreadCpuTime() - started))
        .isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void shouldRenderTheSameForManyThreadsAtOnce() throws InterruptedException, ExecutionException {
    // Given
    Callable<String> render =
        () ->
            IntStream.range(0, 200)
                .mapToObj(
                    i ->
                        TEMPLATE.render(
                            Contexts.with(Map.of("config", Map.of("value", i % 7))),
                            new RenderBudget()))
                .toList()
                .toString();
    // When
    List<Future<String>> results;
    try (var threads = Executors.newFixedThreadPool(4)) {
      results = threads.invokeAll(List.of(render, render, render, render));
    }
    // Then
    for (var result : results) {
      assertThat(result.get()).isEqualTo(results.getFirst().get());
    }
  }

  @Test
  void shouldGiveFreshTreesToEachCaller() {
    // Given
    var context = Contexts.with(Map.of("config", Map.of("value", "x")));
    var first = TEMPLATE.render(context, new RenderBudget());
    // When
    Trees.tree(first.getFirst().get("data")).put("alone", "changed");
    // Then
    assertThat(TEMPLATE.render(context, new RenderBudget()).getFirst().toString())
        .doesNotContain("changed");
  }
}
