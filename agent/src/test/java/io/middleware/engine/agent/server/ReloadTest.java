package io.middleware.engine.agent.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.replication.ReplicationRole;
import io.middleware.engine.proto.tool.v1.ReloadRequest;
import io.middleware.engine.proto.tool.v1.Reloaded;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReloadTest {
  private static final Map<String, String> DESIRED =
      Map.of("appendonly", "yes", "maxmemory", "64mb", "timeout", "5");

  @Test
  void shouldNameWhatIsNotInForce() throws IOException {
    // Given: maxmemory has another value, timeout none
    var inForce = Map.of("appendonly", "yes", "maxmemory", "1gb");
    // When
    var reloaded = reload(inForce);
    // Then
    assertThat(reloaded.getNotInForceList()).containsExactly("maxmemory", "timeout");
    assertThat(reloaded.getChecksum()).isNotEqualTo(ParameterChecksum.of(DESIRED));
  }

  @Test
  void shouldNameNothingWhenAllIsInForce() throws IOException {
    var reloaded = reload(DESIRED);
    assertThat(reloaded.getNotInForceList()).isEmpty();
    assertThat(reloaded.getChecksum()).isEqualTo(ParameterChecksum.of(DESIRED));
  }

  @Test
  void shouldWaitForASecretThatHasNotReachedThePodYet() throws IOException {
    // Given
    var looks = new AtomicInteger();
    var driver =
        new Reloading(DESIRED) {
          @Override
          public Optional<String> outdatedSecret(String salt, Map<String, String> digests) {
            assertThat(salt).isEqualTo("pepper");
            assertThat(digests).containsOnly(Map.entry("password", "d1"));
            return Optional.of("password").filter(it -> looks.incrementAndGet() < 2);
          }

          @Override
          public Map<String, String> reload(Map<String, String> parameters, ProgressSink progress) {
            assertThat(looks).hasValue(2);
            return super.reload(parameters, progress);
          }
        };
    // When
    var reloaded = reload(driver);
    // Then
    assertThat(reloaded.getChecksum()).isEqualTo(ParameterChecksum.of(DESIRED));
  }

  private static Reloaded reload(Map<String, String> inForce) throws IOException {
    return reload(new Reloading(inForce));
  }

  private static Reloaded reload(Driver driver) throws IOException {
    try (var transport = new SharedTransport()) {
      var address = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0);
      var pod = new ServedPod("db-1", "u1");
      var answers = new ReplicationAnswers(driver);
      var server = AgentServer.start(transport, address, pod, answers);
      try (var client = AgentTestClient.at("127.0.0.1", server.port())) {
        return client.reloaded(
            ReloadRequest.newBuilder()
                .setOperationId("o")
                .putAllParameters(DESIRED)
                .setSalt("pepper")
                .putDigests("password", "d1")
                .build());
      } finally {
        server.kill();
      }
    }
  }

  private static class Reloading implements Driver {
    private final Map<String, String> inForce;

    Reloading(Map<String, String> inForce) {
      this.inForce = inForce;
    }

    @Override
    public ReplicationRole role() {
      return ReplicationRole.REPLICA;
    }

    @Override
    public Optional<String> primary() {
      return Optional.empty();
    }

    @Override
    public Map<String, String> reload(Map<String, String> parameters, ProgressSink progress) {
      return inForce;
    }
  }
}
