package io.middleware.engine.watcher;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RuntimeInfo;
import io.middleware.engine.process.ClusterName;
import io.middleware.engine.process.HealthCheck;
import io.middleware.engine.process.KubernetesClients;
import io.middleware.engine.process.TemporalConnection;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether the watcher can do its work, as the leader or as a standby. */
final class WatcherReadiness {
  private static final Logger LOG = LoggerFactory.getLogger(WatcherReadiness.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final TemporalConnection temporal;
  private final HealthCheck apiServer;
  private final List<Operator> operators;
  private final Leadership leadership;
  private final ClusterName clusterName;

  WatcherReadiness(
      TemporalConnection temporal,
      KubernetesClient client,
      List<Operator> operators,
      Leadership leadership,
      ClusterName clusterName) {
    this.temporal = temporal;
    this.apiServer = KubernetesClients.check(client); // the informers do not report a lost server
    this.operators = List.copyOf(operators);
    this.leadership = leadership;
    this.clusterName = clusterName;
  }

  List<HealthCheck> checks() {
    return List.of(
        temporal.check(),
        temporal.check(ChangeSearchAttributes.required(clusterName.value())),
        clusterName.check(),
        apiServer,
        HealthCheck.of("informers", this::informers));
  }

  /** Waits for the API server: informers cannot start without it. */
  void awaitApiServer() throws InterruptedException {
    var problem = apiServer.look().get().problem();
    while (problem.isPresent()) {
      LOG.atWarn()
          .addKeyValue("reason", problem.get())
          .log("the API server does not answer; retrying");
      Thread.sleep(PAUSE);
      problem = apiServer.look().get().problem();
    }
  }

  /** A standby has no informers. */
  private Optional<String> informers() {
    if (!leadership.isLeading()) {
      return Optional.empty();
    }
    var infos = operators.stream().map(Operator::getRuntimeInfo).toList();
    if (!infos.stream().allMatch(RuntimeInfo::isStarted)) {
      return Optional.of("the first lists are not complete");
    }
    return infos.stream()
        .filter(info -> !info.allEventSourcesAreHealthy())
        .map(info -> "not in sync with the API server: " + info.unhealthyEventSources())
        .findFirst();
  }
}
