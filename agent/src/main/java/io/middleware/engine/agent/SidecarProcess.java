package io.middleware.engine.agent;

import io.middleware.engine.agent.driver.FixedReplication;
import io.middleware.engine.agent.server.AgentServer;
import io.middleware.engine.agent.server.ReplicationAnswers;
import io.middleware.engine.agent.server.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** The agent of the one pod it runs in. */
final class SidecarProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Transport transport = new Transport();
  private final AgentServer server;

  private SidecarProcess(AgentSettings.Sidecar settings) throws IOException {
    var replication = new FixedReplication(settings.pod().name(), settings.primary());
    var address = new InetSocketAddress(settings.bind(), settings.port());
    this.server =
        AgentServer.start(transport, address, settings.pod(), new ReplicationAnswers(replication));
  }

  static SidecarProcess start(AgentSettings.Sidecar settings) throws IOException {
    return new SidecarProcess(settings);
  }

  int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.drain();
    try {
      server.stop(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    transport.close();
  }
}
