package io.middleware.engine.render;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.extensions.CelListsExtensions;
import dev.cel.extensions.CelOptionalLibrary;
import dev.cel.extensions.CelStringExtensions;
import io.middleware.engine.render.RenderContext.Extras;
import io.middleware.engine.render.RenderContext.Release;
import io.middleware.engine.render.RenderContext.Software;
import io.middleware.engine.render.RenderContext.Subject;
import io.middleware.engine.render.RenderContext.Workload;
import io.middleware.engine.render.expression.CelEnvironment;
import io.middleware.engine.render.expression.RenderBudget;
import io.middleware.engine.render.guard.OwnerLabels;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the plugin author's guide says of the language, and shows of the Plugins, is so. */
class PluginGuideTest {
  private static final Path GUIDE = Path.of("..", "docs", "plugins.md");

  /** Those of the checkout, and that of the tests. */
  private static final List<Path> PLUGINS =
      List.of(
          Path.of("../plugins/etcd/plugin.yaml"),
          Path.of("../plugins/redis/plugin.yaml"),
          Path.of("../e2e/src/test/resources/quorum/plugin.yaml"));

  private static final TemplateCompiler COMPILER = new TemplateCompiler();
  private static final String DROPPED = "(dropped)";
  private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\| `?([^`|]+)`? \\|.*");
  private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
  private static final Pattern NEW_WORD = Pattern.compile("_([a-z])");

  static Stream<Map.Entry<String, String>> expressions() {
    return rows("### Functions").entrySet().stream();
  }

  static Stream<String> excerpts() {
    return YAML.matcher(Trees.text(GUIDE)).results().map(match -> match.group(1));
  }

  @Test
  void shouldListTheVariablesWithTheirTypes() {
    // Given
    var types =
        CelEnvironment.variableNames().stream()
            .collect(toMap(name -> name, CelEnvironment::typeOf));
    // When
    var listed = rows("### Variables");
    // Then
    assertThat(listed).containsExactlyInAnyOrderEntriesOf(types);
  }

  @ParameterizedTest
  @MethodSource("expressions")
  void shouldSayWhatAnExpressionGives(Map.Entry<String, String> row) {
    // Given
    var template = Map.of("kind", "Guide", "result", "${" + row.getKey() + "}");
    // When
    var rendered =
        COMPILER.compile("guide", template).render(context(), new RenderBudget()).getFirst();
    // Then
    if (row.getValue().equals(DROPPED)) {
      assertThat(rendered).doesNotContainKey("result");
    } else {
      assertThat(rendered.get("result"))
          .isEqualTo(Trees.one("result: " + row.getValue()).get("result"));
    }
  }

  @Test
  void shouldShowEveryFunctionOfTheLibraries() {
    // Given
    var functions =
        Stream.concat(
            Stream.<Enum<?>[]>of(
                    CelStringExtensions.Function.values(), CelListsExtensions.Function.values())
                .flatMap(Arrays::stream)
                .filter(function -> function != CelListsExtensions.Function.SORT_BY) // has no macro
                .map(function -> camelCase(function.name())),
            Arrays.stream(CelOptionalLibrary.Function.values())
                .map(CelOptionalLibrary.Function::getFunction));
    // When
    var shown = String.join("\n", rows("### Functions").keySet());
    // Then
    assertThat(functions.filter(function -> !shown.contains(function + "("))).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("excerpts")
  void shouldShowPluginsAsTheyAre(String excerpt) {
    // When
    var wanted = plain(excerpt);
    // Then
    assertThat(PLUGINS.stream().map(Trees::text)).anyMatch(text -> plain(text).contains(wanted));
  }

  /** The lines without indentation. */
  private static String plain(String yaml) {
    return "\n" + String.join("\n", yaml.lines().map(String::strip).toList()) + "\n";
  }

  /** The first two cells of the tables of a section. */
  private static Map<String, String> rows(String heading) {
    return Trees.text(GUIDE)
        .lines()
        .dropWhile(line -> !line.equals(heading))
        .skip(1)
        .takeWhile(line -> !line.startsWith("#"))
        .map(ROW::matcher)
        .filter(row -> row.matches())
        .collect(toMap(row -> row.group(1), row -> row.group(2).strip()));
  }

  private static String camelCase(String constant) {
    return NEW_WORD
        .matcher(constant.toLowerCase(Locale.ROOT))
        .replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
  }

  /** The group of the guide's examples. */
  private static RenderContext context() {
    return new RenderContext(
        new Subject("cache-redis-nodes-main", "shop", "cache", "redis-nodes", "main"),
        new Software(
            new Release("redis", "7.0"),
            new Release("redis", "2.0.0"),
            Map.of("redis", "docker.io/library/redis:7.0")),
        new Workload(
            3,
            Map.of("requests", Map.of("cpu", "100m")),
            Map.of("size", "1Gi"),
            Map.of(),
            new TreeMap<>(Map.of("databases", 16, "timeout", 60))),
        Extras.NONE,
        new OwnerLabels("cache", "redis-nodes", "main", "redis-v2.0.0"));
  }
}
