package io.middleware.engine.agent.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.agent.driver.FixedReplication;
import io.middleware.engine.process.agents.AgentConnection;
import io.middleware.engine.process.agents.Identity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgentRolesTest {
  private static final Duration PATIENT = Duration.ofMinutes(4);

  /** The pod 127 of the service 0.0.1 is where it should be. */
  private static final String POD = "127";

  private static final String SERVICE = "0.0.1";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldAskTheAgentsOfOtherPods(boolean tls) throws IOException {
    try (var transport = tls ? new SharedTransport(files()) : new SharedTransport()) {
      var server = start(transport, POD);

      var roles = new AgentRoles(transport, SERVICE, server.port(), PATIENT).of(List.of(POD, "x"));

      assertThat(roles).isEqualTo(Map.of(POD, "primary"));
      server.kill();
    }
  }

  @Test
  void shouldNotTakeTheRoleOfAnotherPodAtTheAddress() throws IOException {
    try (var transport = new SharedTransport()) {
      var server = start(transport, "another");

      assertThat(new AgentRoles(transport, SERVICE, server.port(), PATIENT).of(List.of(POD)))
          .isEmpty();
      server.kill();
    }
  }

  private static AgentServer start(SharedTransport transport, String pod) throws IOException {
    return AgentServer.start(
        transport,
        new ServerAddresses(new InetSocketAddress("127.0.0.1", 0), Optional.empty()),
        new ServedPod(pod, "u"),
        new ReplicationAnswers(new FixedReplication(pod, pod)));
  }

  private TlsFiles files() throws IOException {
    var agent = Identity.of(AgentConnection.NAME, folder);
    Files.writeString(folder.resolve("tls.crt"), agent.certificate());
    Files.writeString(folder.resolve("tls.key"), agent.key());
    Files.writeString(folder.resolve("ca.crt"), agent.certificate());
    return TlsFiles.in(folder);
  }
}
