package io.middleware.engine.agent;

import io.middleware.engine.agent.driver.PodMaintenance;
import io.middleware.engine.agent.server.AgentServer;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server of an agent that maintains its pod meanwhile, and says whether the pod is ready. */
final class MaintainedServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MaintainedServer.class);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

  private final AgentServer server;
  private final String readiness;
  private final PodMaintenance maintenance;
  private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

  /**
   * @param readiness the name in the health service that the pod's readiness probe checks
   */
  MaintainedServer(
      AgentServer server, String readiness, PodMaintenance maintenance, Duration interval) {
    this.server = server;
    this.readiness = readiness;
    this.maintenance = maintenance;
    scheduler.scheduleWithFixedDelay(this::maintain, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  int port() {
    return server.port();
  }

  private void maintain() {
    try {
      server.setServing(readiness, maintenance.maintain());
    } catch (RuntimeException e) {
      LOG.atWarn().setCause(e).log("maintenance failed; retrying");
      server.setServing(readiness, false);
    }
  }

  @Override
  public void close() {
    scheduler.shutdownNow();
    server.drain();
    try {
      server.stop(STOP_TIMEOUT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
