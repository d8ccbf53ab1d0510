package io.middleware.engine.worker.render;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.render.schema.ManifestReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What each Plugin of the checkout makes of each of its sample Apps, in outline. */
class PluginsTest {
  private static final Path PLUGINS = Path.of("..", "plugins");
  private static final Path STORE = Path.of("..", "k8s", "samples", "backup-folder.yaml");
  private static final Path OUTLINES = Path.of("src", "test", "resources", "plugins.txt");
  private static final String STALE =
      "the Plugins make something else of their Apps than %s says; if that is meant: mvn -q -Dquick"
          + " -Dregenerate -pl worker -am test -Dtest=PluginsTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false";

  @Test
  void shouldMakeOfEachSampleWhatItIsKnownFor() throws IOException {
    // When
    var outlines = new StringBuilder();
    for (var app : samples()) {
      outlines.append(PLUGINS.relativize(app)).append('\n').append(outline(app)).append('\n');
    }
    if (System.getProperty("regenerate") != null) {
      Files.createDirectories(OUTLINES.getParent());
      Files.writeString(OUTLINES, outlines);
    }
    // Then
    assertThat(OUTLINES).as(STALE, OUTLINES).content().isEqualTo(outlines.toString());
  }

  /** The API server refuses them, and no golden file does. */
  @Test
  void shouldGiveNoTwoContainersOfAPodOneName() throws IOException {
    for (var app : samples()) {
      for (var object : rendered(app)) {
        // When
        var names =
            Stream.of("initContainers", "containers")
                .flatMap(kind -> list(object, "spec", "template", "spec", kind))
                .map(container -> at(container, "name"))
                .toList();
        // Then
        assertThat(names)
            .as("containers of %s of %s", at(object, "metadata", "name"), app)
            .doesNotHaveDuplicates();
      }
    }
  }

  private static List<Path> samples() throws IOException {
    try (var files = Files.walk(PLUGINS, 2)) {
      return files
          .filter(file -> file.getFileName().toString().matches("app.*\\.yaml"))
          .sorted()
          .toList();
    }
  }

  private static String outline(Path app) {
    return rendered(app).stream().map(PluginsTest::line).collect(joining());
  }

  private static List<Map<String, Object>> rendered(Path app) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var plugin = app.resolveSibling("plugin.yaml").toString();
    var code =
        new RenderCommand(new PrintStream(out), new PrintStream(err))
            .run(List.of(plugin, app.toString(), "--store", STORE.toString()));
    assertThat(code).as(err.toString(UTF_8)).isZero();
    return ManifestReader.read(out.toString(UTF_8));
  }

  /** Kind, name, and of what counts in it as much as there is. */
  private static String line(Map<String, Object> object) {
    var facts =
        Stream.of(
                Stream.of("replicas", "serviceName", "minAvailable", "maxUnavailable")
                    .map(field -> fact(field, at(object, "spec", field))),
                list(object, "spec", "template", "spec", "containers")
                    .map(container -> fact(at(container, "name"), at(container, "image"))),
                list(object, "spec", "volumeClaimTemplates")
                    .map(claim -> fact(at(claim, "metadata", "name"), size(claim))),
                list(object, "spec", "ports").map(port -> fact(at(port, "name"), at(port, "port"))),
                data(object))
            .flatMap(some -> some)
            .filter(fact -> !fact.isEmpty())
            .collect(joining());
    return "  %s %s%s\n".formatted(object.get("kind"), at(object, "metadata", "name"), facts);
  }

  private static Stream<String> data(Map<String, Object> object) {
    return at(object, "data") instanceof Map<?, ?> data
        ? new TreeMap<Object, Object>(data)
            .entrySet().stream()
                .map(
                    entry ->
                        "\n    " + entry.getKey() + ":" + indented(entry.getValue().toString()))
        : Stream.empty();
  }

  private static String indented(String text) {
    return text.lines().map(line -> "\n      " + line).collect(joining());
  }

  private static Object size(Object claim) {
    return at(claim, "spec", "resources", "requests", "storage");
  }

  private static String fact(Object name, Object value) {
    return value == null ? "" : " %s=%s".formatted(name, value);
  }

  private static Stream<?> list(Object object, String... path) {
    return at(object, path) instanceof List<?> list ? list.stream() : Stream.empty();
  }

  private static Object at(Object object, String... path) {
    var place = object;
    for (var field : path) {
      place = place instanceof Map<?, ?> map ? map.get(field) : null;
    }
    return place;
  }
}
