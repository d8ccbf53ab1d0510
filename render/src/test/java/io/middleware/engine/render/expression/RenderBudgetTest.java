package io.middleware.engine.render.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.middleware.engine.render.Contexts;
import io.middleware.engine.render.TemplateCompiler;
import io.middleware.engine.render.TemplateError;
import io.middleware.engine.render.TemplateException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever an expression does, its rendering ends in time, in little memory and with its place. */
class RenderBudgetTest {
  private static final TemplateCompiler COMPILER = new TemplateCompiler();
  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
  private static final Duration MOST = Duration.ofSeconds(10);
  private static final String SUM = "a+a+a+a+a+a+a+a+a+a";
  private static final String WORK = "takes more work than a group may";
  private static final String MEMORY = "takes more than 16 MiB of memory";
  private static final String TEXT = "makes a text longer than 1 MiB";

  static Stream<Arguments> tooMuchMemory() {
    return Stream.of(
        Arguments.of("['xxxxxxxxxx']" + ".map(a,%s)".formatted(SUM).repeat(9), TEXT),
        Arguments.of("[[1,2]]" + ".map(a,%s)".formatted(SUM).repeat(9), MEMORY),
        Arguments.of(
            "[['x']]" + ".map(a,%s)".formatted("[a,a,a,a]").repeat(30) + ".size()", MEMORY),
        Arguments.of(
            "[[1]]" + ".map(a,[a,a])".repeat(40) + " == [[1]]" + ".map(a,[a,a])".repeat(40),
            MEMORY),
        Arguments.of("[[1]]" + ".map(a,{'k':a,'l':a})".repeat(40) + "[0]", MEMORY),
        Arguments.of("strings.quote(".repeat(25) + "'\"'" + ")".repeat(25), TEXT),
        Arguments.of(
            "'x'" + ".replace('x','xxxxxxxxxx')".repeat(9),
            "replace() makes a text longer than 1 MiB"),
        Arguments.of("'xx'" + ".replace('','yy')".repeat(25), "replace() makes a text longer"),
        Arguments.of(
            "lists.range(1000).map(i, config.line).join(config.line)",
            "join() makes a text longer than 1 MiB"),
        Arguments.of(
            "lists.range(1000).map(i, config.line)",
            "makes the output of the group larger than 1 MiB"),
        Arguments.of("lists.range(900).map(i, config.long.substring(1).charAt(1).size())", MEMORY));
  }

  static Stream<Arguments> tooMuchWork() {
    return Stream.of(
        Arguments.of(
            "config.long.indexOf(config.long.substring(1) + 'y')",
            "indexOf() searches too long a text"),
        Arguments.of(
            "config.long.split('').distinct()", "distinct() of a list that is longer than 1000"),
        Arguments.of("lists.range(900).map(i, config.long.matches('(x?){10}b'))", WORK),
        Arguments.of("name.matches('((a{1000}){1000}){1000}')", "the pattern is too large"),
        Arguments.of("config.long.matches('(a?){900}b')", "too long for this pattern"),
        Arguments.of(
            "[lists.range(100).map(i, lists.range(800))].map(a, lists.range(800).map(i, a == a))",
            WORK),
        Arguments.of("lists.range(900).map(i, config.long.indexOf('xxxxxxxxxxy'))", WORK),
        Arguments.of("lists.range(900).map(i, config.long.charAt(1000))", null),
        // a failure inside a part that CEL may ignore
        Arguments.of(
            "true || ['xxxxxxxxxx']" + ".map(a,%s)".formatted(SUM).repeat(9) + ".size() > 0", null),
        Arguments.of(
            "['xxxxxxxxxx']" + ".map(a,%s)".formatted(SUM).repeat(9) + ".size() > 0 || true",
            TEXT));
  }

  @ParameterizedTest
  @MethodSource({"tooMuchMemory", "tooMuchWork"})
  void shouldEndInTimeAndNameThePlace(String expression, String message) {
    // Given
    var template =
        COMPILER.compile("redis[0]", Map.of("spec", Map.of("x", "${" + expression + "}")));
    var context =
        Contexts.with(
            Map.of("config", Map.of("long", "x".repeat(200_000), "line", "x".repeat(2000))));
    // When
    var started = CLOCK.getCurrentThreadCpuTime();
    var error =
        catchThrowableOfType(
            TemplateException.class, () -> template.render(context, new RenderBudget()));
    // Then
    assertThat(Duration.ofNanos(CLOCK.getCurrentThreadCpuTime() - started)).isLessThan(MOST);
    if (message == null) {
      assertThat(error).isNull();
    } else {
      assertThat(error)
          .hasMessageStartingWith("redis[0]: spec.x (1:3): ")
          .hasMessageContaining(message)
          .message()
          .hasSizeLessThan(2000);
    }
  }

  @Test
  void shouldStopAtTheFirstExpressionThatTakesTooMuch() {
    // Given
    var template =
        COMPILER.compileText(
            "all", "a: ${lists.range(1000).map(i, config.long)}\nb: ${lists.range(1000).size()}\n");
    var context = Contexts.with(Map.of("config", Map.of("long", "x".repeat(2000))));
    // When
    var error =
        catchThrowableOfType(
            TemplateException.class, () -> template.render(context, new RenderBudget()));
    // Then
    assertThat(error.errors()).extracting(TemplateError::path).containsExactly("a");
  }

  @Test
  void shouldRenderALargeGroup() {
    // Given
    var line =
        "lists.range(500).filter(i, i % 2 == 0).map(i, name + string(i) + ':2888').join('\\n')";
    var template = COMPILER.compile("big", Map.of("a", "${" + line + "}", "b", "${" + line + "}"));
    // When
    var objects = template.render(Contexts.standard(), new RenderBudget());
    // Then
    assertThat(objects.getFirst().get("a").toString().lines()).hasSize(250);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "^[0-9]+(kb|mb|gb)?$",
        "^[0-9]+ [0-9]+( [0-9]+ [0-9]+)*$",
        "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?([.][a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?){0,20}$",
        "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
        "^[](){}]{1,1000}[[:alpha:])(]{1,1000}$",
        "a{,5}",
        "^.{0,1000}$",
      })
  void shouldAllowUsualPatterns(String pattern) {
    assertThat(PatternSize.problem(pattern, 1000)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "((a{1000}){1000}){1000}",
        "(?:[(]a{200}){200}",
        "((a{100}b){10}c){100,}",
        "(((a|b){0,30}){0,30}){0,30}",
        "\\\\(x{500}y){500}",
      })
  void shouldRefusePatternsThatMultiply(String pattern) {
    assertThat(PatternSize.problem(pattern, 1)).isPresent();
  }
}
