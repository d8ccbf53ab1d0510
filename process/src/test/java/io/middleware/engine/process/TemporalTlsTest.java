package io.middleware.engine.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.middleware.engine.process.EngineSettings.TemporalSettings;
import io.middleware.engine.process.agents.Identity;
import io.middleware.engine.process.settings.SettingsException;
import io.middleware.engine.process.trace.Tracing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class TemporalTlsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration INTERVAL = Duration.ofMillis(50);
  private static final Logger LOG = (Logger) LoggerFactory.getLogger(TemporalTls.class);

  @TempDir Path folder;

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private Identity server;
  private Identity first;
  private Identity second;

  @BeforeEach
  void begin() throws IOException {
    server = Identity.of("localhost", folder);
    first = Identity.of("first", folder);
    second = Identity.of("second", folder);
    write("ca.crt", server.certificate());
    write("tls.crt", first.certificate());
    write("tls.key", first.key());
    log.start();
    LOG.addAppender(log);
  }

  @AfterEach
  void end() {
    LOG.detachAppender(log);
  }

  @Test
  void shouldPresentARenewedCertificateOnTheNextConnection() throws Exception {
    try (var temporal = new TlsTemporal(0, server, first, second);
        var connection = open(temporal.port())) {
      // Given
      connection.awaitReachable();
      assertThat(temporal.caller()).isEqualTo("CN=first");
      // When
      write("tls.key", second.key());
      write("tls.crt", second.certificate());
      // Then
      await()
          .atMost(PATIENCE)
          .until(() -> callerOfNewConnection(connection, temporal), "CN=second"::equals);
      assertThat(log.list).last().asString().contains("using new certificates for Temporal");
    }
  }

  @Test
  void shouldLeaveOpenConnectionsAlone() throws Exception {
    try (var temporal = new TlsTemporal(0, server, first, second);
        var connection = open(temporal.port())) {
      // Given
      connection.awaitReachable();
      // When
      write("tls.key", second.key());
      write("tls.crt", second.certificate());
      await()
          .atMost(PATIENCE)
          .until(() -> !log.list.isEmpty() && isLastLog("using new certificates"));
      // Then
      assertThat(connection.check().look().get().problem()).isEmpty();
      assertThat(temporal.caller()).isEqualTo("CN=first");
    }
  }

  @Test
  void shouldKeepTheOldCertificateWhileTheFilesAreHalfWritten() throws Exception {
    try (var temporal = new TlsTemporal(0, server, first, second);
        var connection = open(temporal.port())) {
      // Given
      connection.awaitReachable();
      // When
      write("tls.crt", second.certificate());
      // Then
      await().atMost(PATIENCE).until(() -> isLastLog("keeping the old ones"));
      assertThat(log.list.getLast().getKeyValuePairs().toString())
          .contains("the client certificate does not belong to the key");
      assertThat(callerOfNewConnection(connection, temporal)).isEqualTo("CN=first");
      // When
      write("tls.crt", second.certificate().substring(0, 200));
      write("tls.key", second.key());
      // Then
      await().atMost(PATIENCE).until(() -> log.list.size() > 1);
      assertThat(callerOfNewConnection(connection, temporal)).isEqualTo("CN=first");
      // When
      write("tls.crt", second.certificate());
      // Then
      await()
          .atMost(PATIENCE)
          .until(() -> callerOfNewConnection(connection, temporal), "CN=second"::equals);
    }
  }

  @Test
  void shouldTrustTheNewAuthorityOfTheServer() throws Exception {
    // Given
    var renewed = Identity.of("localhost", folder);
    var temporal = new TlsTemporal(0, server, first);
    var port = temporal.port();
    try (var connection = open(port)) {
      connection.awaitReachable();
      temporal.close();
      try (var next = new TlsTemporal(port, renewed, first)) {
        await()
            .atMost(PATIENCE)
            .untilAsserted(
                () ->
                    assertThat(connection.check().look().get().problem())
                        .hasValueSatisfying(
                            problem -> assertThat(problem).contains("Signature does not match")));
        // When
        write("ca.crt", server.certificate() + renewed.certificate());
        // Then
        await()
            .atMost(PATIENCE)
            .untilAsserted(() -> assertThat(connection.check().look().get().problem()).isEmpty());
        assertThat(next.caller()).isEqualTo("CN=first");
      }
    }
  }

  @Test
  void shouldSayThatTheClientCertificateHasExpired() throws Exception {
    try (var tls =
        TemporalTls.of(TemporalProfile.of(settings(1), environment()), INTERVAL).orElseThrow()) {
      assertThat(tls.expiry(Instant.now())).isEmpty();
      assertThat(tls.expiry(Instant.now().plus(Duration.ofDays(36_500))))
          .hasValueSatisfying(
              problem ->
                  assertThat(problem)
                      .contains(
                          "the client certificate "
                              + folder.resolve("tls.crt")
                              + " was valid until"));
    }
  }

  @Test
  void shouldNotStartWithFilesThatCannotBeUsed() throws IOException {
    write("tls.key", second.key());
    assertThatThrownBy(() -> open(1))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("the client certificate does not belong to the key");
    Files.delete(folder.resolve("tls.key"));
    assertThatThrownBy(() -> open(1))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining(folder.resolve("tls.key").toString());
  }

  /** What the client does by itself every minute. */
  private static String callerOfNewConnection(TemporalConnection connection, TlsTemporal temporal) {
    connection.stubs().getRawChannel().enterIdle();
    assertThat(connection.check().look().get().problem()).isEmpty();
    return temporal.caller();
  }

  private boolean isLastLog(String text) {
    return !log.list.isEmpty() && log.list.getLast().getFormattedMessage().contains(text);
  }

  private TemporalConnection open(int port) throws IOException {
    return new TemporalConnection(
        "worker",
        TemporalProfile.of(settings(port), environment()),
        new SimpleMeterRegistry(),
        Tracing.OFF,
        INTERVAL);
  }

  private static TemporalSettings settings(int port) {
    return new TemporalSettings("localhost:" + port, "default", "engine");
  }

  private Map<String, String> environment() throws IOException {
    var file =
        Files.writeString(
            folder.resolve("temporal.toml"),
            """
            [profile.engine.tls]
            server_name = "localhost"
            server_ca_cert_path = "%1$s/ca.crt"
            client_cert_path = "%1$s/tls.crt"
            client_key_path = "%1$s/tls.key"
            """
                .formatted(folder));
    return Map.of("TEMPORAL_CONFIG_FILE", file.toString());
  }

  private void write(String name, String content) throws IOException {
    Files.writeString(folder.resolve(name), content);
  }
}
