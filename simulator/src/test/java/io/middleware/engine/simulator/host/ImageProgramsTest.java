package io.middleware.engine.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageProgramsTest {
  private static final ImagePrograms PROGRAMS =
      ImagePrograms.parse("redis:7.0=/redis,valkey/valkey:9.0=/valkey-9.0");

  @ParameterizedTest
  @CsvSource({
    "redis:7.0, /redis",
    "docker.io/library/redis:7.0, /redis",
    "docker.io/valkey/valkey:9.0, /valkey-9.0",
    "registry:5000/valkey/valkey:9.0@sha256:0123, /valkey-9.0",
    "localhost/valkey/valkey:9.0, /valkey-9.0",
    "valkey/valkey:9.1,",
    "other/redis:7.0,",
    "redis,"
  })
  void shouldKnowTheImageWhateverItsRegistry(String image, Path folder) {
    assertThat(PROGRAMS.folder(image)).isEqualTo(Optional.ofNullable(folder));
  }
}
