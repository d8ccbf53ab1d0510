package io.middleware.engine.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.replication.ReplicationRole;
import io.middleware.engine.agent.replication.RoleClaim;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WatchRoleTest {
  private static final ServedPod POD = new ServedPod("db-1", "u1");

  /** A server whose role is what the test says; without one it does not answer. */
  private static final class Changing implements Driver {
    final AtomicReference<Optional<RoleClaim>> claim =
        new AtomicReference<>(Optional.of(new RoleClaim("replica", 3)));
    final AtomicInteger reads = new AtomicInteger();

    @Override
    public ReplicationRole role() {
      return ReplicationRole.valueOf(roleName().toUpperCase(Locale.ROOT));
    }

    @Override
    public String roleName() {
      return claim().role();
    }

    @Override
    public String roleSign() {
      reads.incrementAndGet();
      return roleName();
    }

    @Override
    public RoleClaim claim() {
      return claim
          .get()
          .orElseThrow(
              () -> Status.UNAVAILABLE.withDescription("it is silent").asRuntimeException());
    }

    @Override
    public Optional<String> primary() {
      return Optional.empty();
    }
  }

  private final SharedTransport transport = new SharedTransport();
  private final Changing driver = new Changing();
  private AgentServer server;
  private AgentTestClient client;

  @BeforeEach
  void start() throws IOException {
    var answers = new ReplicationAnswers(driver);
    server = AgentServer.start(transport, new InetSocketAddress("127.0.0.1", 0), POD, answers);
    client = AgentTestClient.at("127.0.0.1", server.port());
  }

  @AfterEach
  void stop() {
    client.close();
    server.kill();
    transport.close();
  }

  @Test
  void shouldSendTheRoleAtOnceAndEachChange() {
    // Given
    var roles = client.watchRole("db-1", "u1");
    var first = roles.next();
    assertThat(first.getRole()).isEqualTo("replica");
    assertThat(first.getTerm()).isEqualTo(3);
    // When
    driver.claim.set(Optional.of(new RoleClaim("primary", 4)));
    // Then
    var second = roles.next();
    assertThat(second.getRole()).isEqualTo("primary");
    assertThat(second.getTerm()).isEqualTo(4);
  }

  @Test
  void shouldSayThatTheRoleIsNotKnownAndGoOn() {
    // Given
    var roles = client.watchRole("", "");
    roles.next();
    // When
    driver.claim.set(Optional.empty());
    // Then
    assertThat(roles.next().getUnknown()).isEqualTo("it is silent");
    // and
    driver.claim.set(Optional.of(new RoleClaim("replica", 3)));
    assertThat(roles.next().getUnknown()).isEmpty();
  }

  @Test
  void shouldNotServeAnotherPod() {
    assertThatThrownBy(() -> client.watchRole("db-2", "").next())
        .hasMessageContaining("the pod at this address is db-1 (uid u1), not db-2");
  }

  @Test
  void shouldEndTheCallsWhenItStops() throws InterruptedException {
    // Given
    var roles = client.watchRole("db-1", "u1");
    roles.next();
    // When
    server.drain();
    server.stop(Duration.ofMinutes(4));
    // Then
    assertThat(roles.hasNext()).isFalse();
  }

  @Test
  void shouldReadNothingWhenNobodyWatches() {
    // Given
    client.watchRole("db-1", "u1").next();
    // When
    client.close();
    // Then
    var before = new AtomicInteger(-1);
    await()
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> before.getAndSet(driver.reads.get()) == driver.reads.get());
  }
}
