package io.middleware.engine.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ManagedChannel;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.middleware.engine.agent.driver.FixedReplication;
import io.middleware.engine.process.agents.AgentConnection;
import io.middleware.engine.process.agents.Identity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses the connections of the engine with real certificates. */
class TlsFilesTest {
  private static final InetSocketAddress ANYWHERE = new InetSocketAddress("127.0.0.1", 0);
  private static Identity agent;
  private static Identity renewed;
  private static Identity engine;
  private static Identity other;

  @TempDir Path folder;
  private TlsFiles files;
  private SharedTransport transport;
  private AgentServer server;
  private InetSocketAddress probes;

  @BeforeAll
  static void makeCertificates(@TempDir Path made) {
    agent = Identity.of(AgentConnection.NAME, made);
    renewed = Identity.of(AgentConnection.NAME, made);
    engine = Identity.of("engine", made);
    other = Identity.of("other", made);
  }

  @BeforeEach
  void start() throws IOException {
    writeFiles(agent, engine);
    files = TlsFiles.in(folder);
    transport = new SharedTransport(files);
    probes = free();
    server =
        AgentServer.start(
            transport,
            new ServerAddresses(ANYWHERE, Optional.of(probes)),
            new ServedPod("db-1", "u1"),
            new ReplicationAnswers(new FixedReplication("db-1", "db-0")));
  }

  @AfterEach
  void stop() {
    server.kill();
    transport.close();
  }

  @Test
  void shouldServeTheEngine() {
    try (var client = connect(engine, agent)) {
      assertThat(client.role()).isEqualTo("replica");
      assertThat(client.health()).isEqualTo(ServingStatus.SERVING);
    }
  }

  @Test
  void shouldRefuseAnyOtherClient() {
    assertRefused(connect(other, agent));
    assertRefused(new AgentTestClient(AgentConnection.to(address(server.port()))));
  }

  @Test
  void shouldUseRenewedFiles() throws IOException {
    // Given
    writeFiles(renewed, other);
    // When
    files.reload();
    // Then
    try (var client = connect(other, renewed)) {
      assertThat(client.role()).isEqualTo("replica");
    }
    assertRefused(connect(engine, renewed));
    assertRefused(connect(other, agent));
  }

  @Test
  void shouldKeepTheOldFilesWhenNewOnesAreNotValid() throws IOException {
    // Given
    writeFiles(renewed, engine);
    Files.writeString(folder.resolve("tls.key"), "no key");
    // When
    files.reload();
    Files.delete(folder.resolve("ca.crt"));
    files.reload();
    // Then
    try (var client = connect(engine, agent)) {
      assertThat(client.role()).isEqualTo("replica");
    }
  }

  @Test
  void shouldNotStartWithoutValidFiles() throws IOException {
    Files.writeString(folder.resolve("ca.crt"), "no certificate");
    assertNotValid(folder);
    Files.delete(folder.resolve("tls.key"));
    assertNotValid(folder);
  }

  @Test
  void shouldServeOnlyHealthInPlainTextToProbes() {
    try (var probe = new AgentTestClient(AgentConnection.to(probes))) {
      assertThat(probe.health()).isEqualTo(ServingStatus.SERVING);
      assertThatThrownBy(probe::role).hasMessageContaining("UNIMPLEMENTED");
    }
  }

  /** An address that no other test uses. */
  private static InetSocketAddress free() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getByName("127.88.0.6"))) {
      return new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
    }
  }

  private static void assertNotValid(Path folder) {
    assertThatThrownBy(() -> TlsFiles.in(folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(folder.toString())
        .hasMessageContaining("tls.crt, tls.key and ca.crt in PEM");
  }

  private static void assertRefused(AgentTestClient client) {
    try (client) {
      assertThatThrownBy(client::role).hasMessageContaining("UNAVAILABLE");
    }
  }

  private void writeFiles(Identity own, Identity clients) throws IOException {
    Files.writeString(folder.resolve("tls.crt"), own.certificate());
    Files.writeString(folder.resolve("tls.key"), own.key());
    Files.writeString(folder.resolve("ca.crt"), clients.certificate());
  }

  private AgentTestClient connect(Identity own, Identity known) {
    ManagedChannel channel = AgentConnection.to(address(server.port()), own.towards(known, "1"));
    return new AgentTestClient(channel);
  }

  private static InetSocketAddress address(int port) {
    return new InetSocketAddress("127.0.0.1", port);
  }
}
