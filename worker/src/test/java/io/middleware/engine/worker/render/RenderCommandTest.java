package io.middleware.engine.worker.render;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.middleware.engine.render.schema.ManifestReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RenderCommandTest {
  private static final String PLUGIN =
      """
      apiVersion: middleware.io/v1
      kind: Plugin
      metadata: {name: proxy-v1.0.0, namespace: middleware-system}
      spec:
        name: proxy
        version: 1.0.0
        runtimes: [{name: proxy, versions: [{version: "1.0", images: {proxy: "proxy:1.0"}}]}]
        componentTypes:
        - name: proxy
          parameters: [{name: workers, type: integer, maximum: 8, default: 2}]
          templates:
          - template:
              apiVersion: v1
              kind: ConfigMap
              metadata: {name: "${name}"}
              data: {workers: "${string(config.workers)}"}
          - fromConfigMap: {name: proxy-templates, key: service.yaml}
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: proxy-templates, namespace: middleware-system}
      data:
        service.yaml: |
          apiVersion: v1
          kind: Service
          metadata: {name: "${name}"}
          spec: {selector: "${selectorLabels}", ports: [{port: 80}]}
      """;
  private static final String APP =
      """
      apiVersion: middleware.io/v1
      kind: App
      metadata: {name: front, namespace: shop}
      spec:
        plugin: {name: proxy, version: 1.0.0}
        runtime: {name: proxy, version: "1.0"}
        components:
        - name: proxy
          groups: [{name: a}, {name: b, values: {workers: 4}}]
      """;

  @TempDir Path folder;
  private String out;
  private String err;

  @Test
  void shouldPrintTheObjectsOfEachGroup() throws IOException {
    // When
    var code = render(PLUGIN, APP);
    // Then
    assertThat(code).isZero();
    assertThat(err).isEqualTo("accepted (groups: 2, objects: 4)\n");
    assertThat(out).startsWith("---\n# proxy/a\napiVersion: \"v1\"\nkind: \"ConfigMap\"\n");
    assertThat(objects())
        .extracting(
            object -> object.get("kind"), object -> name(object), object -> object.get("data"))
        .containsExactly(
            tuple("ConfigMap", "front-proxy-a", Map.of("workers", "2")),
            tuple("Service", "front-proxy-a", null),
            tuple("ConfigMap", "front-proxy-b", Map.of("workers", "4")),
            tuple("Service", "front-proxy-b", null));
  }

  @Test
  void shouldPrintOneGroupAlone() throws IOException {
    // When
    var code = render(PLUGIN, APP, "--component", "proxy", "--group", "b");
    // Then
    assertThat(code).isZero();
    assertThat(objects()).extracting(object -> name(object)).containsOnly("front-proxy-b");
  }

  @Test
  void shouldNameTheGroupsThereAre() throws IOException {
    // When
    var code = render(PLUGIN, APP, "--group", "c");
    // Then
    assertThat(code).isEqualTo(2);
    assertThat(err).isEqualTo("the App has no such group; its groups are proxy/a, proxy/b\n");
  }

  @Test
  void shouldNameThePlacesOfAllErrorsOfATemplate() throws IOException {
    // Given
    var plugin =
        PLUGIN
            .replace("${string(config.workers)}", "${config.workers + nam}")
            .replace("{name: \"${name}\"}\n        data", "{name: \"${grup}\"}\n        data");
    // When
    var code = render(plugin, APP);
    // Then
    assertThat(code).isEqualTo(1);
    assertThat(out).isEmpty();
    assertThat(err)
        .startsWith("TemplateError: Plugin proxy-v1.0.0, for group proxy/a: proxy.templates[0]: ")
        .contains("data.workers (1:20): undeclared reference to 'nam'")
        .contains("docs/plugins.md");
  }

  @Test
  void shouldNameThePlaceInATemplateOfAConfigMap() throws IOException {
    // Given
    var plugin = PLUGIN.replace("\"${selectorLabels}\", ports", "\"${selectorLabel}\", ports");
    // When
    var code = render(plugin, APP);
    // Then
    assertThat(code).isEqualTo(1);
    assertThat(err)
        .contains("proxy-templates/service.yaml: spec.selector (4:21): undeclared reference");
  }

  @Test
  void shouldAskForTheConfigMapThatIsMissing() throws IOException {
    // When
    var code = render(PLUGIN.substring(0, PLUGIN.indexOf("---\n")), APP);
    // Then
    assertThat(code).isEqualTo(1);
    assertThat(err)
        .contains("key service.yaml of ConfigMap proxy-templates is missing: add the ConfigMap");
  }

  @Test
  void shouldSayWhatTheGuardRefuses() throws IOException {
    // Given
    var plugin = PLUGIN.replace("ports: [{port: 80}]", "type: NodePort");
    // When
    var code = render(plugin, APP);
    // Then
    assertThat(code).isEqualTo(1);
    assertThat(out).isEmpty();
    assertThat(err)
        .startsWith(
            "OutputRefused: Plugin proxy-v1.0.0, for group proxy/a: Service/front-proxy-a: ")
        .contains("spec.type: NodePort is not allowed: one of ClusterIP, LoadBalancer")
        .contains("docs/plugins.md");
  }

  @Test
  void shouldCheckBothAsTheApiServerDoes() throws IOException {
    // When
    var code = render(PLUGIN.replace("type: integer", "type: number"), APP);
    // Then
    assertThat(code).isEqualTo(1);
    assertThat(err)
        .isEqualTo(
            folder.resolve("plugin.yaml")
                + ": spec.componentTypes[0].parameters[0].type: Unsupported value: \"number\":"
                + " supported values: \"string\", \"integer\", \"boolean\", \"secret\"\n");
  }

  @Test
  void shouldCheckValuesAndRuntimeAsAPlanDoes() throws IOException {
    // When
    var value = render(PLUGIN, APP.replace("workers: 4", "workers: 9"));
    var valueWords = err;
    var runtime = render(PLUGIN, APP.replace("\"1.0\"", "\"2.0\""));
    // Then
    assertThat(value).isEqualTo(1);
    assertThat(valueWords)
        .isEqualTo(
            "InvalidSpec: spec.components[proxy].groups[b].values.workers must be at most 8, was 9\n");
    assertThat(runtime).isEqualTo(1);
    assertThat(err)
        .isEqualTo(
            "RuntimeNotOffered: spec.runtime: plugin proxy 1.0.0 does not offer proxy 2.0; it offers"
                + " proxy 1.0\n");
  }

  @Test
  void shouldNameTheCheckThatDoesNotCompile() throws IOException {
    // Given
    var check = "checks: [{name: whole, allOf: [{cel: size(nods) > 0}]}]\n    ";
    // When
    var code = render(PLUGIN, APP.replaceFirst("groups:", check + "groups:"));
    // Then
    assertThat(code).isEqualTo(1);
    assertThat(err)
        .isEqualTo(
            "InvalidSpec: spec.components[proxy].checks[whole].allOf[0].cel (1:6): undeclared"
                + " reference to 'nods' (in container '')\n");
  }

  @Test
  void shouldNameTheLineThatIsNoYaml() throws IOException {
    // When
    var code = render(PLUGIN, APP.replace("components:", "components"));
    // Then
    assertThat(code).isEqualTo(1);
    assertThat(err).startsWith(folder.resolve("app.yaml") + ": line ");
  }

  @Test
  void shouldSayHowItIsUsed() {
    // When
    var code = run("plugin.yaml", "--verbose");
    // Then
    assertThat(code).isEqualTo(2);
    assertThat(err).startsWith("unknown option --verbose; usage: PLUGIN.yaml APP.yaml");
  }

  private int render(String plugin, String app, String... options) throws IOException {
    var files =
        new ArrayList<>(
            List.of(
                Files.writeString(folder.resolve("plugin.yaml"), plugin).toString(),
                Files.writeString(folder.resolve("app.yaml"), app).toString()));
    files.addAll(List.of(options));
    return run(files.toArray(String[]::new));
  }

  private int run(String... arguments) {
    var written = new ByteArrayOutputStream();
    var said = new ByteArrayOutputStream();
    var code =
        new RenderCommand(new PrintStream(written), new PrintStream(said)).run(List.of(arguments));
    out = written.toString(UTF_8);
    err = said.toString(UTF_8);
    return code;
  }

  private List<Map<String, Object>> objects() {
    return ManifestReader.read(out);
  }

  private static Object name(Map<String, Object> object) {
    return ((Map<?, ?>) object.get("metadata")).get("name");
  }
}
