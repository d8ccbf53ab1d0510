package io.middleware.engine.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.json.LenientObjects;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.testing.LoadTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The samples in {@code plugins} and the manifests in {@code good} are read and written again
 * without loss. The API server refuses the last document of each file in {@code bad} with the
 * message in the first line, after it has accepted the other documents; a test with a real API
 * server checks that.
 */
class ManifestsTest {
  private static final Path PLUGINS = Path.of("..", "plugins");
  private static final Path RESOURCES = Path.of("src", "test", "resources");
  private static final Map<String, Class<? extends HasMetadata>> KINDS =
      Map.of(
          "App", App.class,
          "LoadTest", LoadTest.class,
          "Operation", Operation.class,
          "Plugin", Plugin.class);
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final ObjectMapper JSON = new ObjectMapper();

  static List<Path> good() throws IOException {
    try (var plugins = Files.walk(PLUGINS, 2); // what is for others lies deeper
        var resources = Files.list(RESOURCES.resolve("good"))) {
      return Stream.concat(
              plugins.filter(file -> file.toString().endsWith(".yaml")).sorted(),
              resources.sorted())
          .toList();
    }
  }

  static List<Path> bad() throws IOException {
    try (var files = Files.list(RESOURCES.resolve("bad"))) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("good")
  void shouldKeepAllThatAManifestSays(Path file) throws IOException {
    // Given
    var serialization = new LenientObjects().serialization();
    var manifest = YAML.readTree(file.toFile());

    // When
    var object =
        serialization.unmarshal(manifest.toString(), KINDS.get(manifest.get("kind").asText()));
    var written = JSON.readTree(serialization.asJson(object));

    // Then
    assertThat(withoutNulls(written)).isEqualTo(withoutNulls(JSON.readTree(manifest.toString())));
  }

  @ParameterizedTest
  @MethodSource("bad")
  void shouldSayWhatIsExpectedOfABadManifest(Path file) throws IOException {
    // When
    var text = Files.readString(file);

    // Then
    assertThat(text).startsWith("# expect: ");
    assertThat(text.split("\n---\n"))
        .hasSize(file.getFileName().toString().startsWith("edit-") ? 2 : 1);
  }

  private static JsonNode withoutNulls(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.removeIf(JsonNode::isNull);
      object.forEach(ManifestsTest::withoutNulls);
    }
    if (node instanceof ArrayNode array) {
      array.forEach(ManifestsTest::withoutNulls);
    }
    return node;
  }
}
