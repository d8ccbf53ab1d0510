package io.middleware.engine.agent.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.driver.OutdatedSecret;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.replication.ReplicationRole;
import io.middleware.engine.proto.tool.v1.ReloadRequest;
import io.middleware.engine.proto.tool.v1.Reloaded;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReloadTest {
  private static final Map<String, String> DESIRED =
      Map.of("appendonly", "yes", "maxmemory", "64mb", "timeout", "5");

  @Test
  void shouldNameWhatIsNotInForce() throws Exception {
    // Given: maxmemory has another value, timeout none
    var inForce = Map.of("appendonly", "yes", "maxmemory", "1gb");
    // When
    var reloaded = reload(inForce);
    // Then
    assertThat(reloaded.getNotInForceList()).containsExactly("maxmemory", "timeout");
    assertThat(reloaded.getChecksum()).isNotEqualTo(ParameterChecksum.of(DESIRED));
  }

  @Test
  void shouldNameNothingWhenAllIsInForce() throws Exception {
    var reloaded = reload(DESIRED);
    assertThat(reloaded.getNotInForceList()).isEmpty();
    assertThat(reloaded.getChecksum()).isEqualTo(ParameterChecksum.of(DESIRED));
  }

  @Test
  void shouldWaitForASecretThatHasNotReachedThePodYet() throws Exception {
    // Given
    var looks = new AtomicInteger();
    var driver =
        new Reloading(DESIRED) {
          @Override
          public Optional<OutdatedSecret> outdatedSecret(String salt, Map<String, String> digests) {
            assertThat(salt).isEqualTo("pepper");
            assertThat(digests).containsOnly(Map.entry("password", "d1"));
            return Optional.of(new OutdatedSecret("password", "d0"))
                .filter(it -> looks.incrementAndGet() < 2);
          }

          @Override
          public Map<String, String> reload(Map<String, String> parameters, ProgressSink progress) {
            assertThat(looks).hasValueGreaterThan(1);
            return super.reload(parameters, progress);
          }
        };
    // When
    var reloaded = reload(driver);
    // Then
    assertThat(reloaded.getChecksum()).isEqualTo(ParameterChecksum.of(DESIRED));
  }

  @Test
  void shouldDoOtherWorkWhileItWaitsForASecret() throws Exception {
    // Given
    var waits = new CountDownLatch(1);
    var driver =
        new Reloading(DESIRED) {
          @Override
          public Optional<OutdatedSecret> outdatedSecret(String salt, Map<String, String> digests) {
            waits.countDown();
            return Optional.of(new OutdatedSecret("password", "d0"));
          }

          @Override
          public void drain(ProgressSink progress) {}
        };
    // When
    var drained =
        withAgent(
            driver,
            client -> {
              client.reloadOf("db-1", "u1");
              waits.await();
              return client.drain("d");
            });
    // Then
    assertThat(drained).isTrue();
  }

  @Test
  void shouldEndTheWaitForASecretThatDoesNotCome() throws InterruptedException {
    // Given
    var driver =
        new Reloading(DESIRED) {
          @Override
          public Optional<OutdatedSecret> outdatedSecret(String salt, Map<String, String> digests) {
            return Optional.of(new OutdatedSecret("password", "d0"));
          }
        };
    // When
    var action = new ReloadAction(driver, ReloadRequest.getDefaultInstance(), Duration.ofMillis(1));
    action.prepare((message, percent) -> {});
    var reloaded = action.run((message, percent) -> {}).getDone();
    // Then
    assertThat(reloaded.getNotInForceList()).containsExactly("password");
    assertThat(reloaded.getChecksum()).isNotEqualTo(ParameterChecksum.of(DESIRED));
  }

  @Test
  void shouldEndTheWaitWhenTheSecretHasChangedAgain() throws InterruptedException {
    // Given: the value that is meant is overwritten before it has come
    var files = new ArrayDeque<>(List.of("first", "first", "third"));
    var driver =
        new Reloading(DESIRED) {
          @Override
          public Optional<OutdatedSecret> outdatedSecret(String salt, Map<String, String> digests) {
            var found = files.size() > 1 ? files.remove() : files.element();
            return Optional.of(new OutdatedSecret("password", found));
          }
        };
    var action = new ReloadAction(driver, ReloadRequest.getDefaultInstance(), Duration.ofDays(1));
    // When
    action.prepare((message, percent) -> {});
    // Then
    assertThat(files).containsExactly("third");
    assertThat(action.run((message, percent) -> {}).getDone().getNotInForceList())
        .containsExactly("password");
  }

  @Test
  void shouldWaitOnWhenOneOfTwoSecretsHasCome() throws InterruptedException {
    // Given
    var outdated =
        new ArrayDeque<>(
            List.of(new OutdatedSecret("app", "first"), new OutdatedSecret("engine", "second")));
    var driver =
        new Reloading(DESIRED) {
          @Override
          public Optional<OutdatedSecret> outdatedSecret(String salt, Map<String, String> digests) {
            return Optional.ofNullable(outdated.poll());
          }
        };
    var action = new ReloadAction(driver, ReloadRequest.getDefaultInstance(), Duration.ofDays(1));
    // When
    action.prepare((message, percent) -> {});
    // Then
    assertThat(outdated).isEmpty();
    assertThat(action.run((message, percent) -> {}).getDone().getNotInForceList()).isEmpty();
  }

  private static Reloaded reload(Map<String, String> inForce) throws Exception {
    return reload(new Reloading(inForce));
  }

  private static Reloaded reload(Driver driver) throws Exception {
    return withAgent(
        driver,
        client ->
            client.reloaded(
                ReloadRequest.newBuilder()
                    .setOperationId("o")
                    .putAllParameters(DESIRED)
                    .setSalt("pepper")
                    .putDigests("password", "d1")
                    .build()));
  }

  @FunctionalInterface
  private interface Use<T> {
    T of(AgentTestClient client) throws Exception;
  }

  private static <T> T withAgent(Driver driver, Use<T> use) throws Exception {
    try (var transport = new SharedTransport()) {
      var address = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0);
      var pod = new ServedPod("db-1", "u1");
      var answers = new ReplicationAnswers(driver);
      var server = AgentServer.start(transport, address, pod, answers);
      try (var client = AgentTestClient.at("127.0.0.1", server.port())) {
        return use.of(client);
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
