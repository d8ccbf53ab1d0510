package io.middleware.engine.activities.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.FakeView;
import io.middleware.engine.cluster.agents.AgentChannels;
import io.middleware.engine.cluster.agents.AgentPolicy;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.TaskRef;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The pods of a group that has a Deployment. */
@ExtendWith(ApiServer.class)
class CheckedPodsIT {
  private static final Map<String, String> LABELS = Labels.selector("cache", "db", "g");

  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final FakeView view = new FakeView();
  private final AgentChannels channels = new AgentChannels(name -> null);

  CheckedPodsIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    view.deployments.add(
        new DeploymentBuilder()
            .withNewMetadata()
            .withName("proxy")
            .withLabels(LABELS)
            .endMetadata()
            .build());
  }

  @AfterEach
  void stop() {
    channels.close();
  }

  @Test
  void shouldLeaveOutPodsThatHaveEndedOrAreLeaving() throws InterruptedException {
    // Given
    create("proxy-1-runs", "proxy-1", "Running");
    create("proxy-1-evicted", "proxy-1", "Failed");
    create("proxy-1-done", "proxy-1", "Succeeded");
    create("other-1-runs", "other-1", "Running");
    var leaving = create("proxy-1-leaves", "proxy-1", "Running");
    cluster.client().resource(leaving).delete();
    // When
    var pods = pods().now(false);
    // Then
    assertThat(cluster.now(leaving).isMarkedForDeletion()).isTrue();
    assertThat(pods).extracting(CheckedPod::shown).containsExactly("proxy-1-runs ready");
  }

  private CheckedPods pods() {
    var task =
        new TaskRef(engine.begin(cluster.createApp()), "1-config-db", ChangeType.CONFIG, "db");
    return new CheckedPods(
        cluster.client(),
        view,
        new AgentQueries(channels, new AgentPolicy(Duration.ofSeconds(2), 1, 1 << 18)),
        new CheckTarget(
            task,
            Optional.of("g"),
            Optional.empty(),
            new RuntimeRef("redis", "7.0"),
            1,
            AgentEndpoint.NONE));
  }

  private Pod create(String name, String replicaSet, String phase) {
    var pod =
        cluster.create(
            new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(LABELS)
                .withFinalizers("test/held")
                .addNewOwnerReference()
                .withApiVersion("apps/v1")
                .withKind("ReplicaSet")
                .withName(replicaSet)
                .withUid("uid-of-" + replicaSet)
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("proxy")
                .withImage("proxy:1")
                .endContainer()
                .endSpec()
                .build());
    return cluster
        .client()
        .resource(pod)
        .editStatus(
            it ->
                new PodBuilder(it)
                    .withNewStatus()
                    .withPhase(phase)
                    .addNewCondition()
                    .withType("Ready")
                    .withStatus("Running".equals(phase) ? "True" : "False")
                    .endCondition()
                    .endStatus()
                    .build());
  }
}
