package io.middleware.engine.render.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The manifests of {@code api} and their words; that they are the API server's, its E2E knows. */
class ObjectSchemaTest {
  private static final Path MANIFESTS = Path.of("..", "api", "src", "test", "resources");
  private static final String EXPECT = "# expect: ";
  private static final Map<String, String> PLURALS =
      Map.of(
          "App",
          "apps",
          "LoadTest",
          "loadtests.test",
          "Operation",
          "operations",
          "Plugin",
          "plugins");

  /** All but the one that is nothing but a status. */
  static List<Path> good() throws IOException {
    return files("good", "app-status");
  }

  /** Those that are bad as new objects. */
  static List<Path> bad() throws IOException {
    return files("bad", "edit-");
  }

  @ParameterizedTest
  @MethodSource("good")
  void shouldTakeWhatTheApiServerTakes(Path file) throws IOException {
    // When
    var checked = check(Files.readString(file));
    // Then
    assertThat(checked.problems()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("bad")
  void shouldRefuseInTheWordsOfTheApiServer(Path file) throws IOException {
    // Given
    var text = Files.readString(file);
    var words = text.substring(EXPECT.length(), text.indexOf('\n'));
    // When
    var checked = check(text);
    // Then
    assertThat(String.join("\n", checked.problems())).contains(words);
  }

  @Test
  void shouldNameFieldsThatThereAreNot() {
    // When
    var checked =
        check(
            """
            apiVersion: middleware.io/v1
            kind: App
            metadata: {name: a, labels: {any: label}}
            spec:
              plugin: {name: redis, version: 1.0.0}
              runtime: {name: redis, version: "7.2"}
              components: [{name: nodes, group: [], groups: [{name: all, replica: 3}]}]
            """);
    // Then
    assertThat(checked.problems())
        .containsExactly(
            "unknown field \"spec.components[0].group\"",
            "unknown field \"spec.components[0].groups[0].replica\"");
  }

  @Test
  void shouldPutDefaultsWhereNothingStands() {
    // When
    var checked =
        check(
            """
            apiVersion: middleware.io/v1
            kind: App
            metadata: {name: a}
            spec:
              plugin: {name: redis, version: 1.0.0}
              runtime: {name: redis, version: "7.2"}
              components: [{name: nodes, groups: [{name: all, replicas: null}]}]
            """);
    // Then
    assertThat(checked.problems()).isEmpty();
    assertThat(checked.object().get("spec").toString())
        .contains("state=Running", "deletionPolicy=Retain", "onNewChange=Wait", "replicas=1");
  }

  @Test
  void shouldReadPlainWordsAsKubectlDoes() {
    // When
    var read =
        ManifestReader.read(
            "{a: yes, b: 'yes', c: Off, d: nothing, e: 7.2, f: 07}\n---\n---\nx: 1");
    // Then
    assertThat(read)
        .containsExactly(
            Map.of("a", true, "b", "yes", "c", false, "d", "nothing", "e", 7.2, "f", 7),
            Map.of("x", 1));
  }

  private static ObjectSchema.Checked check(String yaml) {
    var manifest = ManifestReader.read(yaml).getFirst();
    return ObjectSchema.of(PLURALS.get(manifest.get("kind").toString())).check(manifest);
  }

  private static List<Path> files(String folder, String but) throws IOException {
    try (var files = Files.list(MANIFESTS.resolve(folder))) {
      return files.filter(file -> !file.getFileName().toString().startsWith(but)).sorted().toList();
    }
  }
}
