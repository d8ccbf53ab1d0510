package io.middleware.engine.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The API server refuses the last document of each bad manifest with the message in its first line,
 * and accepts those before it. They are applied where the engine has no rights, so nothing comes of
 * them.
 */
@EndToEnd
class BadManifestsE2E {
  private static final String EXPECT = "# expect: ";
  private static final String NAMESPACE = "e2e-bad-" + UUID.randomUUID().toString().substring(0, 8);

  private static KubernetesClient client;

  @BeforeAll
  static void open() {
    client = new KubernetesClientBuilder().build();
    client
        .namespaces()
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build())
        .create();
  }

  @AfterAll
  static void close() {
    client.resources(App.class).inNamespace(NAMESPACE).delete();
    client.namespaces().withName(NAMESPACE).delete();
    client.close();
  }

  static List<Path> shouldBeRefusedWithThisMessage() throws IOException {
    var folder = Engine.CHECKOUT.resolve("api/src/test/resources/bad");
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource
  void shouldBeRefusedWithThisMessage(Path file) throws IOException {
    // Given
    var text = Files.readString(file);
    var message = text.substring(EXPECT.length(), text.indexOf('\n'));
    var accepted = text.split("\n---\n").length - 1;
    // When
    var answer = apply(text.replace("{name: bad}", "{name: " + name(file) + "}"));
    // Then
    assertThat(answer).contains(message);
    assertThat(answer.lines().filter(line -> line.endsWith(" created"))).hasSize(accepted);
    assertThat(answer).doesNotContain("configured");
  }

  private static String name(Path file) {
    var name = file.getFileName().toString();
    return name.substring(0, name.lastIndexOf('.'));
  }

  private static String apply(String text) throws IOException {
    var file = Files.createTempFile("bad", ".yaml");
    try {
      Files.writeString(file, text);
      return Engine.run(List.of("kubectl", "apply", "-n", NAMESPACE, "-f", file.toString()));
    } catch (IllegalStateException e) {
      return e.getMessage();
    } finally {
      Files.delete(file);
    }
  }
}
