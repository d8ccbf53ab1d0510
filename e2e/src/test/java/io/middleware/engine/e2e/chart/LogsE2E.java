package io.middleware.engine.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the processes of the instance have logged so far. */
@EndToEnd
class LogsE2E {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @ParameterizedTest
  @ValueSource(strings = {"watcher", "worker", "simulator"})
  void shouldBeAJsonObjectPerLine(String process) throws IOException {
    // When
    var log = Files.readString(Path.of(Engine.variable("INSTANCE_DIR"), "log", process + ".log"));
    // Then
    assertThat(log.substring(0, log.lastIndexOf('\n') + 1).lines()) // the last may be half written
        .isNotEmpty()
        .allSatisfy(
            line -> {
              assertThat(line).startsWith("{").endsWith("}");
              assertThat(MAPPER.readTree(line).fieldNames())
                  .toIterable()
                  .contains("time", "level", "logger", "message");
            });
  }
}
