package io.middleware.engine.process.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The Temporal server with which newcomers try the engine is prepared as all others are. */
class TemporalSampleTest {
  @Test
  void shouldHaveTheSearchAttributesAndSettingsOfOtherServers() throws IOException {
    var sample = Files.readAllLines(Path.of("..", "k8s", "samples", "temporal.yaml"));
    assertThat(sample)
        .map(String::strip)
        .containsAll(
            LocalTemporal.searchAttributes().map(it -> "- --search-attribute=" + it).toList())
        .containsAll(
            LocalTemporal.dynamicConfig().stream()
                .map(it -> "- --dynamic-config-value=" + it)
                .toList());
  }
}
