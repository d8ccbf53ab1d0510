package io.middleware.engine.process.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.process.EngineSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SettingsReferenceTest {
  private static final Path PAGE = Path.of("../docs/reference/settings.md");

  @Test
  void shouldBeUpToDate() throws IOException {
    // Given
    String page = SettingsReference.page();
    if (System.getProperty("regenerate") != null) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, page);
    }
    // When
    String written = Files.readString(PAGE);
    // Then
    assertThat(written)
        .as("docs/reference/settings.md is stale: run mvn -pl process test -Dregenerate")
        .isEqualTo(page);
  }

  @Test
  void shouldFindEverySettingDocumentedAndItsDefaultAllowed() {
    assertThat(SettingKey.of(EngineSettings.class))
        .allSatisfy(
            key -> {
              assertThat(key.declared().value()).as(key.path()).endsWith(".");
              assertThat(key.type().read(key.fallback())).as(key.path()).isPresent();
            });
  }
}
