package io.middleware.engine.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RightsReferenceTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "rights.md");

  @Test
  void shouldBeUpToDate() throws IOException {
    // Given
    var page = RightsReference.page();
    if (System.getProperty("regenerate") != null) {
      Files.writeString(PAGE, page);
    }
    // When Then
    assertThat(Files.readString(PAGE))
        .as("docs/reference/rights.md is stale: run mvn -pl api test -Dregenerate")
        .isEqualTo(page);
  }
}
