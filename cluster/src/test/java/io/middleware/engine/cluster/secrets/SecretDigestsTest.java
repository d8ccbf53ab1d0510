package io.middleware.engine.cluster.secrets;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.Hashing;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SecretDigestsTest {
  private static final SecretText PASSWORD = new SecretText("s3cret\n");

  @Test
  void shouldDigestTheValueWithoutLineBreaksAsTheProtocolSays() {
    var digests = SecretDigests.of(Map.of("password", PASSWORD));
    assertThat(digests.digests())
        .containsOnly(
            Map.entry(
                "password",
                Hashing.sha256().hashString(digests.salt() + "\0s3cret\0", UTF_8).toString()));
  }

  @Test
  void shouldHaveAnotherSaltForEachCall() {
    assertThat(SecretDigests.of(Map.of("password", PASSWORD)))
        .isNotEqualTo(SecretDigests.of(Map.of("password", PASSWORD)));
  }

  @Test
  void shouldShowNeitherValuesNorDigests() {
    assertThat(PASSWORD + " " + SecretDigests.of(Map.of("password", PASSWORD)))
        .isEqualTo("(not shown) (not shown)");
  }
}
