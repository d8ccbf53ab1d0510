package io.middleware.engine.agent;

import io.middleware.engine.agent.command.CommandDriver;
import io.middleware.engine.agent.driver.FixedReplication;
import io.middleware.engine.agent.server.AgentServer;
import io.middleware.engine.agent.server.ReplicationAnswers;
import io.middleware.engine.agent.server.SharedTransport;
import java.io.IOException;
import java.time.Duration;

/** The agent of a pod without a server: its replication group has a fixed primary. */
final class FixedSidecar implements AutoCloseable {
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

  private final SharedTransport transport;
  private final AgentServer server;

  private FixedSidecar(SidecarSettings.Fixed settings, SharedTransport transport)
      throws IOException {
    this.transport = transport;
    var replication = new FixedReplication(settings.pod().name(), settings.primary());
    var driver = CommandDriver.inContainer(replication, settings.actions());
    this.server =
        AgentServer.start(
            transport, settings.addresses(), settings.pod(), new ReplicationAnswers(driver));
  }

  /** Closes the transport when it is closed. */
  static FixedSidecar start(SidecarSettings.Fixed settings, SharedTransport transport)
      throws IOException {
    return new FixedSidecar(settings, transport);
  }

  int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.drain();
    try {
      server.stop(STOP_TIMEOUT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    transport.close();
  }
}
