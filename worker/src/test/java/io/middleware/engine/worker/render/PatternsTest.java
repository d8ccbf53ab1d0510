package io.middleware.engine.worker.render;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.render.schema.ManifestReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each section of docs/patterns.md has a Plugin and an App that the engine accepts. */
class PatternsTest {
  private static final Path PAGE = Path.of("..", "docs", "patterns.md");
  private static final Pattern EXAMPLE =
      Pattern.compile("(?ms)^## ([^\\n]+)\\n(?:(?!^## ).)*?^```yaml\\n(.*?)^---\\n(.*?)^```");

  @TempDir Path folder;

  static Stream<MatchResult> examples() throws IOException {
    return EXAMPLE.matcher(Files.readString(PAGE)).results();
  }

  @Test
  void shouldHaveAnExampleInEachSection() throws IOException {
    var headings = Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("## "));

    assertThat(examples().map(example -> "## " + example.group(1)))
        .containsExactlyElementsOf(headings.toList());
  }

  @ParameterizedTest
  @MethodSource("examples")
  void shouldRender(MatchResult example) throws IOException, InterruptedException {
    // Given
    var plugin = Files.writeString(folder.resolve("plugin.yaml"), example.group(2));
    var app = Files.writeString(folder.resolve("app.yaml"), example.group(3));
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    // When
    var code =
        new RenderCommand(new PrintStream(out), new PrintStream(err))
            .run(List.of(plugin.toString(), app.toString()));
    // Then
    assertThat(code).as(err.toString(UTF_8)).isZero();
    for (var object : ManifestReader.read(out.toString(UTF_8))) {
      if (object.get("data") instanceof Map<?, ?> files) {
        for (var file : files.values()) {
          assertIsNoBrokenScript(file.toString());
        }
      }
    }
  }

  private void assertIsNoBrokenScript(String text) throws IOException, InterruptedException {
    if (text.startsWith("#!/bin/sh")) {
      var script = Files.writeString(folder.resolve("script"), text).toString();
      assertThat(new ProcessBuilder("sh", "-n", script).inheritIO().start().waitFor()).isZero();
    }
  }
}
