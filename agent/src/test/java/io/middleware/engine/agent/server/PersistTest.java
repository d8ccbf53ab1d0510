package io.middleware.engine.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.command.CommandDriver;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.driver.FixedReplication;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.replication.ReplicationRole;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PersistTest {
  private static final String HERE = "127.0.0.1";

  private final List<String> done = new CopyOnWriteArrayList<>();
  private final SharedTransport transport = new SharedTransport();
  private AgentServer server;
  private AgentTestClient client;

  @AfterEach
  void stop() {
    client.close();
    server.kill();
    transport.close();
  }

  @Test
  void shouldNotAnswerOfBeforeTheProcessWentOn() throws IOException {
    // Given
    start(CommandDriver.over(new Recording(), Optional.of(Path.of("none"))));
    assertThat(client.persist("a", true)).isTrue();
    assertThat(client.persist("a", true)).isTrue();
    assertThat(done).containsExactly("persist true");
    // When
    client.resume();
    // Then
    assertThat(client.persist("a", true)).isTrue();
    assertThat(done).containsExactly("persist true", "resume", "persist true");
  }

  @Test
  void shouldSayThatADriverHasNothingToDo() throws IOException {
    // Given
    start(new FixedReplication("db-1", "db-0"));
    // When Then
    assertThatThrownBy(() -> client.persist("a", false))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessage("UNIMPLEMENTED: this agent cannot make its data durable");
    client.resume();
  }

  private void start(Driver driver) throws IOException {
    server =
        AgentServer.start(
            transport,
            new InetSocketAddress(HERE, 0),
            new ServedPod("db-1", "u1"),
            new ReplicationAnswers(driver));
    client = AgentTestClient.at(HERE, server.port());
  }

  private final class Recording implements Driver {
    @Override
    public ReplicationRole role() {
      return ReplicationRole.PRIMARY;
    }

    @Override
    public Optional<String> primary() {
      return Optional.empty();
    }

    @Override
    public void persist(boolean beforeEnd, ProgressSink progress) {
      done.add("persist " + beforeEnd);
    }

    @Override
    public void resume() {
      done.add("resume");
    }
  }
}
