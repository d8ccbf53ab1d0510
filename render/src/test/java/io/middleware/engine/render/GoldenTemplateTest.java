package io.middleware.engine.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.render.expression.RenderBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each directory under {@code render/} with a template is a case: {@code template.yaml} is compiled
 * as text, {@code inline.yaml} as trees; {@code context.yaml} is optional; either {@code
 * expected.yaml} or {@code errors.txt} says what comes of it.
 */
class GoldenTemplateTest {
  private static final TemplateCompiler COMPILER = new TemplateCompiler();

  static Stream<String> cases() throws IOException {
    try (var directories = Files.list(Trees.resources())) {
      return directories
          .filter(
              directory ->
                  Files.exists(directory.resolve("template.yaml"))
                      || Files.exists(directory.resolve("inline.yaml")))
          .map(directory -> directory.getFileName().toString())
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void shouldRenderWhatTheCaseExpects(String name) {
    // Given
    var directory = Trees.resources().resolve(name);
    var errors = directory.resolve("errors.txt");
    // When
    var outcome = outcome(directory);
    // Then
    if (Files.exists(errors)) {
      assertThat(outcome.errors()).isEqualTo(Trees.text(errors).strip());
    } else {
      assertThat(outcome.errors()).isEmpty();
      assertThat(outcome.objects())
          .containsExactlyElementsOf(Trees.all(Trees.text(directory.resolve("expected.yaml"))));
    }
  }

  private static Outcome outcome(Path directory) {
    try {
      var context = context(directory);
      List<Map<String, Object>> objects = new ArrayList<>();
      templates(directory)
          .forEach(template -> objects.addAll(template.render(context, new RenderBudget())));
      return new Outcome(objects, "");
    } catch (TemplateException e) {
      return new Outcome(List.of(), e.getMessage());
    }
  }

  private static List<CompiledTemplate> templates(Path directory) {
    var text = directory.resolve("template.yaml");
    if (Files.exists(text)) {
      return List.of(COMPILER.compileText("case", Trees.text(text)));
    }
    return Trees.all(Trees.text(directory.resolve("inline.yaml"))).stream()
        .map(tree -> COMPILER.compile("case", tree))
        .toList();
  }

  private static RenderContext context(Path directory) {
    var file = directory.resolve("context.yaml");
    return Files.exists(file) ? Contexts.with(Trees.one(Trees.text(file))) : Contexts.standard();
  }

  private record Outcome(List<Map<String, Object>> objects, String errors) {}
}
