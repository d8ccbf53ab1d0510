package io.middleware.engine.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.middleware.engine.process.EngineSettings.TemporalSettings;
import io.middleware.engine.process.settings.SettingsException;
import io.middleware.engine.process.trace.Tracing;
import io.temporal.testserver.TestServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporalConnectionTest {
  private static final TemporalSettings UNSET = new TemporalSettings("", "", "");

  @TempDir Path folder;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  @Test
  void shouldOpenWhileTemporalIsDownAndSayWhatIsWrong() throws IOException {
    // Given
    var address = "127.0.0.1:" + freePort();
    // When
    try (var connection = open(new TemporalSettings(address, "default", ""), Map.of())) {
      // Then
      assertThat(connection.check().look().get().problem().orElseThrow())
          .contains(address, "Connection refused");
    }
  }

  @Test
  void shouldReachTemporalOnceItIsUpAndCountItsCalls() throws Exception {
    // Given
    int port = freePort();
    try (var connection =
        open(new TemporalSettings("127.0.0.1:" + port, "default", ""), Map.of())) {
      assertThat(connection.check().look().get().problem()).isPresent();
      // When
      try (var server = TestServer.createPortBoundServer(port)) {
        connection.awaitReachable();
      }
    }
    // Then
    assertThat(registry.scrape()).contains("temporal_request_total");
  }

  @Test
  void shouldTakeSettingsBeforeVariablesBeforeTheProfile() throws IOException {
    // Given
    Path file =
        Files.writeString(
            folder.resolve("temporal.toml"),
            "[profile.prod]\naddress = \"file:1\"\nnamespace = \"file\"\napi_key = \"k\"\n");
    var environment =
        Map.of("TEMPORAL_CONFIG_FILE", file.toString(), "TEMPORAL_NAMESPACE", "variable");
    // When
    var profile = TemporalProfile.of(new TemporalSettings("setting:1", "", "prod"), environment);
    // Then
    assertThat(profile.getAddress()).isEqualTo("setting:1");
    assertThat(profile.getNamespace()).isEqualTo("variable");
    assertThat(profile.getApiKey()).isEqualTo("k");
  }

  @Test
  void shouldFallBackToThisMachineWithoutReadingAFileNobodyNamed() throws IOException {
    // Given
    Path config = Files.createDirectories(folder.resolve(".config/temporalio"));
    Files.writeString(
        config.resolve("temporal.toml"), "[profile.default]\naddress = \"cloud:1\"\n");
    // When
    var profile = TemporalProfile.of(UNSET, Map.of("HOME", folder.toString()));
    // Then
    assertThat(profile.getAddress()).isEqualTo("127.0.0.1:7233");
    assertThat(profile.getNamespace()).isEqualTo("middleware");
  }

  @Test
  void shouldStopAtAProfileThatIsNotThere() throws IOException {
    // Given
    Path file = Files.writeString(folder.resolve("temporal.toml"), "[profile.prod]\n");
    var environment = Map.of("TEMPORAL_CONFIG_FILE", file.toString());
    // Then
    assertThatThrownBy(() -> TemporalProfile.of(new TemporalSettings("", "", "test"), environment))
        .isInstanceOf(SettingsException.class)
        .hasMessageContainingAll("temporal.profile", "test");
  }

  @Test
  void shouldReadRecordsOfANewerVersionAndWriteReadableTimes() {
    // Given
    record Newer(String id, Duration timeout, String added) {}
    record Older(String id, Duration timeout) {}
    var converter = PayloadConverter.create();
    // When
    var payload = converter.toPayload(new Newer("a", Duration.ofMinutes(5), "x")).orElseThrow();
    // Then
    assertThat(payload.toString()).contains("PT5M");
    assertThat(converter.fromPayload(payload, Older.class, Older.class))
        .isEqualTo(new Older("a", Duration.ofMinutes(5)));
  }

  private TemporalConnection open(TemporalSettings settings, Map<String, String> environment) {
    return TemporalConnection.open("worker", settings, registry, Tracing.OFF, environment);
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
