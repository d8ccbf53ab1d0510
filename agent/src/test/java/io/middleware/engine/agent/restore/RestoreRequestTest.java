package io.middleware.engine.agent.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RestoreRequestTest {
  private static final String CHECKSUM = "sha256:" + "0a".repeat(32);

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("restore");
  }

  @Test
  void shouldReadKeyAndChecksum() throws IOException {
    Files.writeString(file, "key shop/cache.rdb\nchecksum " + CHECKSUM + "\n");

    assertThat(RestoreRequest.read(file)).contains(new RestoreRequest("shop/cache.rdb", CHECKSUM));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", " \n\n"})
  void shouldAskForNothingWhenEmpty(String text) throws IOException {
    assertThat(RestoreRequest.read(file)).isEmpty();

    Files.writeString(file, text);

    assertThat(RestoreRequest.read(file)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "key shop/cache.rdb",
        "checksum sha256:00",
        "key",
        "key a b",
        "key a\nkey a",
        "key a\nchecksum sha256:00",
        "key a\nchecksum sha256:00\nother c"
      })
  void shouldNameAMalformedFile(String text) throws IOException {
    Files.writeString(file, text);

    assertThatThrownBy(() -> RestoreRequest.read(file))
        .hasMessageStartingWith(
            "FAILED_PRECONDITION: %s must have the lines 'key <key>' and 'checksum sha256:"
                .formatted(file));
  }

  @Test
  void shouldNameAFileThatItCannotRead() throws IOException {
    Files.createDirectory(file);

    assertThatThrownBy(() -> RestoreRequest.read(file))
        .hasMessageContaining("but cannot be read: ");
  }
}
