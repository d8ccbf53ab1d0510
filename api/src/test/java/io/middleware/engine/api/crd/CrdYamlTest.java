package io.middleware.engine.api.crd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CrdYamlTest {
  private static final Path CRDS = Path.of("..", "k8s", "chart", "files", "crds");
  private static final Path REFERENCE = Path.of("..", "docs", "reference", "crds.md");
  private static final String STALE =
      "%s does not say what the Java types say; regenerate it with:"
          + " mvn -q -Dquick -Dregenerate -pl api test -Dtest=CrdYamlTest";

  @Test
  void shouldAgreeWithTheCommittedFiles() throws IOException {
    // Given
    var files = new TreeMap<Path, String>();
    var crds = CustomResources.generate(Path.of("target", "crds"));
    files.put(REFERENCE, CrdReference.of(crds));
    for (var crd : crds) {
      files.put(CRDS.resolve(crd.getMetadata().getName() + ".yaml"), CustomResources.yaml(crd));
    }

    // When
    if (System.getProperty("regenerate") != null) {
      write(files);
    }

    // Then
    for (var file : files.entrySet()) {
      assertThat(file.getKey()).as(STALE, file.getKey()).content().isEqualTo(file.getValue());
    }
  }

  private static void write(Map<Path, String> files) throws IOException {
    for (var file : files.entrySet()) {
      Files.createDirectories(file.getKey().getParent());
      Files.writeString(file.getKey(), file.getValue());
    }
  }
}
