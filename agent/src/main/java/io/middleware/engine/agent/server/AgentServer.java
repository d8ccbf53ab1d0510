package io.middleware.engine.agent.server;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.grpc.Server;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/** The agent of one pod, listening. */
public final class AgentServer {
  private static final long SHORTEST_KEEPALIVE_SECONDS = 5;

  private final Server server;
  private final Optional<Server> probes;
  private final HealthStatusManager health;

  private AgentServer(Server server, Optional<Server> probes, HealthStatusManager health) {
    this.server = server;
    this.probes = probes;
    this.health = health;
  }

  /** Listens when this returns; throws when the address cannot be bound. */
  public static AgentServer start(
      SharedTransport transport, InetSocketAddress address, ServedPod pod, AgentAnswers answers)
      throws IOException {
    return start(transport, new ServerAddresses(address, Optional.empty()), pod, answers);
  }

  /** Listens when this returns; throws when an address cannot be bound. */
  public static AgentServer start(
      SharedTransport transport, ServerAddresses addresses, ServedPod pod, AgentAnswers answers) throws IOException {
    var health = new HealthStatusManager();
    var server =
        transport
            .listenOn(addresses.calls())
            .permitKeepAliveTime(SHORTEST_KEEPALIVE_SECONDS, SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .addService(new Agent2Service(answers))
            .addService(new ToolInvokerService(pod, answers))
            .addService(health.getHealthService())
            .build();
    var probes =
        addresses
            .probes()
            .map(at -> transport.listenInClearOn(at).addService(health.getHealthService()).build());
    var agent = new AgentServer(server, probes, health);
    try {
      server.start();
      if (probes.isPresent()) {
        probes.get().start();
      }
      return agent;
    } catch (IOException e) {
      agent.kill(); // else the library remembers it for ever
      throw e;
    }
  }

  public int port() {
    return server.getPort();
  }

  /** Where probes are answered; 0 when they are not. */
  int probePort() {
    return probes.map(Server::getPort).orElse(0);
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
      server.shutdownNow();
    }
    probes.ifPresent(Server::shutdownNow);
  }

  /** Ends as a process does that is killed: running calls break off. */
  public void kill() {
    server.shutdownNow();
    probes.ifPresent(Server::shutdownNow);
  }
}
