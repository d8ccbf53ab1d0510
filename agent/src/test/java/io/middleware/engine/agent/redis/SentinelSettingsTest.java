package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SentinelSettingsTest {

  @Test
  void shouldReadAMountedConfigMap(@TempDir Path folder) throws IOException {
    // Given the files of a kubelet
    var data = Files.createDirectory(folder.resolve("..2026_11_22"));
    Files.writeString(data.resolve("monitor"), "db-a  db-b\n");
    Files.writeString(data.resolve("quorum"), "2");
    Files.createSymbolicLink(folder.resolve("..data"), data);
    for (var key : List.of("monitor", "quorum")) {
      Files.createSymbolicLink(folder.resolve(key), Path.of("..data", key));
    }
    // When
    var settings = SentinelSettings.in(folder);
    // Then
    assertThat(settings)
        .isEqualTo(new SentinelSettings(List.of("db-a", "db-b"), Map.of("quorum", "2")));
    assertThat(settings.with(Map.of("quorum", "3", "failover-timeout", "9")).options())
        .isEqualTo(Map.of("quorum", "3", "failover-timeout", "9"));
  }

  @Test
  void shouldNameTheMissingKey() {
    assertThatThrownBy(() -> SentinelSettings.of(Map.of("monitor", "db")))
        .hasMessageContaining("must have the keys monitor")
        .hasMessageContaining("quorum, but has [monitor]");
  }
}
