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

/** The gRPC server of one pod's agent. */
public final class AgentServer {
  private static final long SHORTEST_KEEPALIVE_SECONDS = 5;

  private final Server server;
  private final Optional<Server> probes;
  private final HealthStatusManager health;
  private final ToolInvokerService calls;

  private AgentServer(
      Server server,
      Optional<Server> probes,
      HealthStatusManager health,
      ToolInvokerService calls) {
    this.calls = calls;
    this.server = server;
    this.probes = probes;
    this.health = health;
  }

  /** Returns when the server listens; throws when it cannot bind the address. */
  public static AgentServer start(
      SharedTransport transport, InetSocketAddress address, ServedPod pod, AgentAnswers answers)
      throws IOException {
    return start(transport, new ServerAddresses(address, Optional.empty()), pod, answers);
  }

  /** Returns when the server listens; throws when it cannot bind an address. */
  public static AgentServer start(
      SharedTransport transport, ServerAddresses addresses, ServedPod pod, AgentAnswers answers)
      throws IOException {
    var health = new HealthStatusManager();
    var calls = new ToolInvokerService(pod, answers);
    var server =
        transport
            .server(addresses.calls())
            .permitKeepAliveTime(SHORTEST_KEEPALIVE_SECONDS, SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .addService(new Agent2Service(answers))
            .addService(calls)
            .addService(health.getHealthService())
            .build();
    var probes =
        addresses
            .probes()
            .map(at -> transport.plainTextServer(at).addService(health.getHealthService()).build());
    var agent = new AgentServer(server, probes, health, calls);
    try {
      server.start();
      if (probes.isPresent()) {
        probes.get().start();
      }
      return agent;
    } catch (IOException e) {
      agent.kill(); // otherwise gRPC never releases the server
      throw e;
    }
  }

  public int port() {
    return server.getPort();
  }

  /** Sets what the health service reports for a service. */
  public void setServing(String service, boolean serving) {
    health.setStatus(service, serving ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
  }

  /** Accepts no new calls; running calls continue. */
  public void drain() {
    health.enterTerminalState();
    calls.endWatches();
    server.shutdown();
  }

  /** Waits for running calls and cancels those that remain after the timeout. */
  public void stop(Duration timeout) throws InterruptedException {
    if (!server.awaitTermination(timeout.toMillis(), MILLISECONDS)) {
      server.shutdownNow();
    }
    probes.ifPresent(Server::shutdownNow);
  }

  /** Ends at once, like a killed process: running calls break. */
  public void kill() {
    server.shutdownNow();
    probes.ifPresent(Server::shutdownNow);
  }
}
