package io.middleware.engine.agent.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutdatedPasswordTest {
  /** SHA-256 of {@code pepper}, 0, {@code s3cret}, 0. */
  private static final Map<String, String> DIGESTS =
      Map.of("password", "bbfb6814c9f7892c565ad5b20bca113a7ec6e9833268de005ac6496d3aa40cc7");

  private static final Map<String, String> ACCOUNTS =
      Map.of("password", "app", "other-password", "absent");

  @TempDir private Path folder;

  @Test
  void shouldNameTheParameterWhoseFileIsOlder() throws IOException {
    // Given
    Files.createDirectories(folder.resolve("accounts"));
    Files.writeString(folder.resolve("accounts/app"), "earlier");
    var files = new AccountFiles(Optional.of(folder));
    // When Then
    var before = files.outdated(ACCOUNTS, "pepper", DIGESTS).orElseThrow();
    assertThat(before.parameter()).isEqualTo("password");
    Files.writeString(folder.resolve("accounts/app"), "another");
    assertThat(files.outdated(ACCOUNTS, "pepper", DIGESTS).orElseThrow().replaces(before)).isTrue();
    Files.writeString(folder.resolve("accounts/app"), "s3cret\n");
    assertThat(files.outdated(ACCOUNTS, "pepper", DIGESTS)).isEmpty();
    assertThat(files.outdated(ACCOUNTS, "pepper", Map.of("unknown", "x", "other-password", "y")))
        .isEmpty();
  }

  @Test
  void shouldWaitForNothingWithoutPasswords() {
    assertThat(AccountFiles.NONE.outdated(ACCOUNTS, "pepper", DIGESTS)).isEmpty();
  }
}
