package io.middleware.engine.watcher;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.middleware.engine.process.HealthCheck;
import io.middleware.engine.process.KubernetesClients;
import io.middleware.engine.process.TemporalConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether the watcher can do its work, be it the leader or the one that waits to be. */
final class WatcherReadiness {
  private static final Logger LOG = LoggerFactory.getLogger(WatcherReadiness.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final TemporalConnection temporal;
  private final HealthCheck apiServer;
  private final Operator operator;
  private final Leadership leadership;

  WatcherReadiness(
      TemporalConnection temporal,
      KubernetesClient client,
      Operator operator,
      Leadership leadership) {
    this.temporal = temporal;
    this.apiServer = KubernetesClients.check(client); // health of informers does not show it
    this.operator = operator;
    this.leadership = leadership;
  }

  List<HealthCheck> checks() {
    return List.of(temporal.check(), apiServer, new HealthCheck("informers", this::informers));
  }

  /** The informers need it to start. */
  void awaitApiServer() throws InterruptedException {
    var problem = apiServer.problem().get();
    while (problem.isPresent()) {
      LOG.atWarn().addKeyValue("reason", problem.get()).log("waiting for the API server");
      Thread.sleep(PAUSE);
      problem = apiServer.problem().get();
    }
  }

  /** Whoever waits for the lease has none. */
  private Optional<String> informers() {
    if (!leadership.isLeading()) {
      return Optional.empty();
    }
    if (!operator.getRuntimeInfo().isStarted()) {
      return Optional.of("not all have been read yet");
    }
    return operator.getRuntimeInfo().allEventSourcesAreHealthy()
        ? Optional.empty()
        : Optional.of(
            "not in step with the API server: "
                + operator.getRuntimeInfo().unhealthyEventSources());
  }
}
