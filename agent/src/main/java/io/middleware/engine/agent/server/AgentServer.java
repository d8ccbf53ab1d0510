package io.middleware.engine.agent.server;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.grpc.Server;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** The agent of one pod, listening. */
public final class AgentServer {
  private static final long SHORTEST_KEEPALIVE_SECONDS = 5;

  private final Server server;
  private final HealthStatusManager health;

  private AgentServer(Server server, HealthStatusManager health) {
    this.server = server;
    this.health = health;
  }

  /** Listens when this returns; throws when the address cannot be bound. */
  public static AgentServer start(
      Transport transport, InetSocketAddress address, ServedPod pod, Answers answers)
      throws IOException {
    var health = new HealthStatusManager();
    var server =
        transport
            .listenOn(address)
            .permitKeepAliveTime(SHORTEST_KEEPALIVE_SECONDS, SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .addService(new Agent2Service(answers))
            .addService(new ToolInvokerService(pod, answers))
            .addService(health.getHealthService())
            .build();
    try {
      return new AgentServer(server.start(), health);
    } catch (IOException e) {
      server.shutdownNow(); // else the library remembers it for ever
      throw e;
    }
  }

  public int port() {
    return server.getPort();
  }

  /** What the health service says of a service of this name from now on. */
  public void serves(String service, boolean serving) {
    health.setStatus(service, serving ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
  }

  /** Takes no new call and lets the running ones end. */
  public void drain() {
    health.enterTerminalState();
    server.shutdown();
  }

  /** Ends what is left after the patience given. */
  public void stop(Duration patience) throws InterruptedException {
    if (!server.awaitTermination(patience.toMillis(), MILLISECONDS)) {
      kill();
    }
  }

  /** Ends as a process does that is killed: running calls break off. */
  public void kill() {
    server.shutdownNow();
  }
}
