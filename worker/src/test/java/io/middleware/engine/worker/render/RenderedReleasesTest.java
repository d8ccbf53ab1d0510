package io.middleware.engine.worker.render;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.middleware.engine.cluster.PodDefaults;
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
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The pods that each release made of its sample Apps, this version makes as well. Otherwise the
 * next edit of an App would restart its pods only because the engine was upgraded. A folder has the
 * Plugins, Apps and store of a release as they were, and beside each App its pods. {@code
 * dev/release --record} adds the folder of a release; the others are never written again.
 */
class RenderedReleasesTest {
  private static final Path PLUGINS = Path.of("..", "plugins");
  private static final Path STORE = Path.of("..", "k8s", "samples", "backup-folder.yaml");
  private static final Path RELEASES = Path.of("src", "test", "resources", "rendered");
  private static final String RESTARTS =
      "pods of %s: after an upgrade to this version, the next edit of such an App restarts them";
  private static final List<String> OF_PODS =
      List.of("jobTemplate", "selector", "serviceName", "template", "volumeClaimTemplates");
  private static final KubernetesSerialization YAML = new KubernetesSerialization();

  @ParameterizedTest
  @MethodSource("samplesOfReleases")
  void shouldMakeThePodsThatTheReleaseMade(Path app) throws IOException {
    // When
    var pods = pods(app, app.resolveSibling(STORE.getFileName()));
    // Then
    assertThat(withoutDefaults(pods))
        .as(RESTARTS, app)
        .isEqualTo(withoutDefaults(Files.readString(podsFile(app))));
  }

  /** Since 0.2.0 pods have them, with their next restart ({@link PodDefaults}). */
  private static String withoutDefaults(String pods) {
    return pods.replaceAll(
        " *(enableServiceLinks: false|terminationMessagePolicy: \"?FallbackToLogsOnError\"?)\n",
        "");
  }

  static List<Path> samplesOfReleases() throws IOException {
    return samples(RELEASES);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void shouldBeAbleToRecordEachSample(Path app) {
    assertThat(pods(app, STORE)).isNotEmpty();
  }

  static List<Path> samples() throws IOException {
    return samples(PLUGINS);
  }

  @Test
  @EnabledIfSystemProperty(named = "release", matches = ".+")
  void record() throws IOException {
    var release = RELEASES.resolve(System.getProperty("release"));
    for (var sample : samples()) {
      var app = release.resolve(PLUGINS.relativize(sample));
      Files.createDirectories(app.getParent());
      Files.writeString(app, Files.readString(sample));
      Files.writeString(plugin(app), Files.readString(plugin(sample)));
      Files.writeString(app.resolveSibling(STORE.getFileName()), Files.readString(STORE));
      Files.writeString(podsFile(app), pods(app, STORE));
    }
  }

  private static List<Path> samples(Path folder) throws IOException {
    try (var files = Files.walk(folder, 3)) {
      return files
          .filter(file -> file.getFileName().toString().matches("app.*\\.yaml"))
          .sorted()
          .toList();
    }
  }

  private static Path plugin(Path app) {
    return app.resolveSibling("plugin.yaml");
  }

  private static Path podsFile(Path app) {
    return app.resolveSibling("pods-of-" + app.getFileName());
  }

  /** What decides whether pods are replaced, of each object that makes pods. */
  private static String pods(Path app, Path store) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var code =
        new RenderCommand(new PrintStream(out), new PrintStream(err))
            .run(List.of(plugin(app).toString(), app.toString(), "--store", store.toString()));
    assertThat(code).as(err.toString(UTF_8)).isZero();
    return ManifestReader.read(out.toString(UTF_8)).stream()
        .filter(RenderedReleasesTest::hasPods)
        .map(RenderedReleasesTest::ofPods)
        .map(YAML::asYaml)
        .collect(joining());
  }

  private static boolean hasPods(Map<String, Object> object) {
    var spec = map(object.get("spec"));
    return spec.containsKey("template") || spec.containsKey("jobTemplate");
  }

  private static Map<String, Object> ofPods(Map<String, Object> object) {
    var facts = new TreeMap<String, Object>();
    facts.put("kind", object.get("kind"));
    facts.put("name", map(object.get("metadata")).get("name"));
    var spec = map(object.get("spec"));
    OF_PODS.stream()
        .filter(spec::containsKey)
        .forEach(field -> facts.put(field, sorted(spec.get(field))));
    return facts;
  }

  /** The order of fields means nothing to the API server. */
  private static Object sorted(Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        var fields = new TreeMap<String, Object>();
        map.forEach((field, content) -> fields.put(field.toString(), sorted(content)));
        yield fields;
      }
      case List<?> list -> Stream.of(list.toArray()).map(RenderedReleasesTest::sorted).toList();
      case null, default -> value;
    };
  }

  private static Map<?, ?> map(Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }
}
