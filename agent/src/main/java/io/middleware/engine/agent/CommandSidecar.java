package io.middleware.engine.agent;

import io.middleware.engine.agent.command.CommandMode;
import io.middleware.engine.agent.command.OtherRoles;
import io.middleware.engine.agent.server.AgentRoles;
import io.middleware.engine.agent.server.AgentServer;
import io.middleware.engine.agent.server.SharedTransport;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** The agent beside a middleware that it knows only by commands. */
final class CommandSidecar implements AutoCloseable {
  /** The name in the health service that the pod's readiness probe checks. */
  static final String READINESS = "commands";

  private final SharedTransport transport;
  private final ScheduledExecutorService scheduler;
  private final MaintainedServer server;

  private CommandSidecar(
      SharedTransport transport, ScheduledExecutorService scheduler, MaintainedServer server) {
    this.transport = transport;
    this.scheduler = scheduler;
    this.server = server;
  }

  /** Closes the transport when it is closed. */
  static CommandSidecar start(SidecarSettings.Commands settings, SharedTransport transport)
      throws IOException {
    DnsCache.shorten();
    var scheduler = Executors.newSingleThreadScheduledExecutor();
    OtherRoles others =
        settings
            .service()
            .<OtherRoles>map(
                service ->
                    new AgentRoles(transport, service, settings.addresses().calls().getPort())::of)
            .orElse(OtherRoles.UNKNOWN);
    var mode = CommandMode.inContainer(settings.mode(), others, scheduler);
    var server = AgentServer.start(transport, settings.addresses(), settings.pod(), mode.answers());
    return new CommandSidecar(
        transport,
        scheduler,
        new MaintainedServer(
            server, READINESS, mode.maintenance(), settings.mode().roleInterval()));
  }

  int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.close();
    scheduler.shutdownNow();
    transport.close();
  }
}
