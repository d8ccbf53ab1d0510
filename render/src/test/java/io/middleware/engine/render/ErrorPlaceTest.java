package io.middleware.engine.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.middleware.engine.render.expression.SourcePosition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However a scalar is written, an error stands where the reader sees the word "bogus". */
class ErrorPlaceTest {
  private static final TemplateCompiler COMPILER = new TemplateCompiler();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: ${bogus}",
        "a: ${ bogus }",
        "\uFEFFa: ${bogus}",
        "a: x😀ü ${'😀' + bogus}",
        "a: x ${name} and\n   more ${bogus} text",
        "a: x\n\n\n   ${bogus}",
        "a: '${bogus}'",
        "a: 'it''s ''${bogus}'''",
        "a: 'one\n   two ${'''' +\n   bogus}'",
        "a: \"${bogus}\"",
        "a: \"\\t\\x41\\u00e4\\U0001F600\\\"\\/\\e\\\\${bogus}\"",
        "a: \"one\\n ${bogus}\"",
        "a: \"one \\\n   two ${bogus}\"",
        "a: \"one\n\n   two ${\n  bogus}\"",
        "a: |\n  one\n    two\n  ${bogus}\n",
        "a: |2-  # comment\n    one ${name +\n     bogus}",
        "a: >\n  one\n  two\n\n    three ${bogus}\n",
        "a: >+\n\n  one ${bogus}\n\n",
        "a: &x\n  !!str ${bogus}",
        "a: !!str &x \"${bogus}\"",
        "a: [x, {b: '${bogus}'}]",
        "${bogus}: b",
        "? \"${bogus}\"\n: b",
        "x: y\n---\na:\n- - ${bogus}",
        "x: y\r\na: |\r\n  one\r\n  ${bogus}\r\n",
      })
  void shouldNameTheExactPlace(String yaml) {
    // When
    var error =
        catchThrowableOfType(TemplateException.class, () -> COMPILER.compileText("template", yaml));
    // Then
    assertThat(error.errors()).extracting(TemplateError::position).containsExactly(placeIn(yaml));
  }

  @Test
  void shouldNamePathAndPlaceInsideTheScalarOfAStructuredTemplate() {
    // Given
    var tree = Trees.one("spec: {args: [x, \"one\\n  ${bogus}\"]}");
    // When
    var error =
        catchThrowableOfType(TemplateException.class, () -> COMPILER.compile("redis[0]", tree));
    // Then
    assertThat(error)
        .hasMessage(
            "redis[0]: spec.args[1] (2:5): undeclared reference to 'bogus' (in container '')");
  }

  @Test
  void shouldRefuseBottomlessNesting() {
    // Given
    var yaml = "a: " + "[".repeat(100_000);
    // When
    var error =
        catchThrowableOfType(TemplateException.class, () -> COMPILER.compileText("deep", yaml));
    // Then
    assertThat(error).hasMessageContaining("nested deeper than 64 levels");
  }

  private static SourcePosition placeIn(String yaml) {
    var text = yaml.startsWith("\uFEFF") ? yaml.substring(1) : yaml;
    var before = text.substring(0, text.indexOf("bogus"));
    var lineStart = before.lastIndexOf('\n') + 1;
    var line = (int) before.chars().filter(c -> c == '\n').count() + 1;
    return new SourcePosition(line, before.codePointCount(lineStart, before.length()) + 1);
  }
}
