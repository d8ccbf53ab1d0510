package io.middleware.engine.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.grpc.Status;
import io.middleware.engine.activities.apiserver.FakeWorkload;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.agents.AgentChannels;
import io.middleware.engine.cluster.agents.FakeAgent;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PodActivities;
import io.middleware.engine.workflows.port.PodActivities.ReplaceRequest;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.testing.TestActivityEnvironment;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Replaces the pod {@code cache-db-g-0}, whose agent listens. */
@ExtendWith(ApiServer.class)
class LastCopyIT {
  private static final String KEPT = "pod cache-db-g-0: its data are not durable";

  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final TestActivityEnvironment temporal = TestActivityEnvironment.newInstance();
  private final AgentChannels channels = new AgentChannels(name -> null);
  private FakeAgent agent;
  private GroupRef group;
  private FakeWorkload workload;
  private Pod pod;
  private PodActivities activities;

  LastCopyIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @BeforeEach
  void start() throws IOException {
    agent = new FakeAgent("127.0.0.10", 0);
    agent.persist = FakeAgent::persisted;
    var change = engine.begin(cluster.createApp());
    group = new GroupRef(new TaskRef(change, "1-config-db", ChangeType.CONFIG, "db"), "g");
    activities = LocalPodActivities.start(temporal, cluster, engine, channels);
  }

  private void run(int replicas) {
    workload = new FakeWorkload(cluster, replicas);
    pod = workload.create(0, "old", true);
    for (var number = 1; number < replicas; number++) {
      workload.create(number, "new", true);
    }
  }

  @AfterEach
  void stop() {
    temporal.close();
    channels.close();
    agent.close();
  }

  @Test
  void shouldBeDurableBeforeItsPodGoes() throws Exception {
    // Given
    run(1);
    // When
    var replacement = replace(1);
    // Then
    workload.awaitGone(pod);
    assertThat(actions()).singleElement().asString().startsWith("persist ");
    workload.create(0, "new", true);
    replacement.get(4, TimeUnit.MINUTES);
  }

  @Test
  void shouldNotBeAskedForWhereOthersStay() throws Exception {
    // Given
    run(2);
    // When
    var replacement = replace(1);
    // Then
    workload.awaitGone(pod);
    workload.create(0, "new", true);
    replacement.get(4, TimeUnit.MINUTES);
    assertThat(actions()).isEmpty();
  }

  @Test
  void shouldBeAskedForWhereAllMayGoTogether() throws Exception {
    // Given
    run(2);
    // When
    var replacement = replace(2);
    // Then
    workload.awaitGone(pod);
    workload.create(0, "new", true);
    replacement.get(4, TimeUnit.MINUTES);
    assertThat(actions()).hasSize(1);
  }

  @Test
  void shouldKeepAPodThatCannotWrite() throws Exception {
    // Given
    run(1);
    agent.persist =
        to ->
            to.onError(
                Status.FAILED_PRECONDITION
                    .withDescription("cannot write its snapshot")
                    .asRuntimeException());
    // When
    var replacement = replace(1);
    // Then
    cluster
        .await()
        .untilAsserted(
            () ->
                assertThat(cluster.events())
                    .filteredOn(event -> event.getReason().equals("PodKept"))
                    .singleElement()
                    .satisfies(
                        event ->
                            assertThat(event.getNote())
                                .startsWith(KEPT)
                                .contains("cannot write its snapshot", "accept-data-loss: \"1\"")));
    assertThat(cluster.now(pod).isMarkedForDeletion()).isFalse();
    // and when the user accepts the loss
    accept();
    workload.awaitGone(pod);
    workload.create(0, "new", true);
    replacement.get(4, TimeUnit.MINUTES);
  }

  @Test
  void shouldNotBePausedWhileABudgetKeepsThePod() throws Exception {
    // Given
    run(1);
    var budget = workload.createBudget(0);
    // When
    var replacement = replace(1);
    // Then
    engine.awaitHeartbeat("pod cache-db-g-0: Cannot evict pod");
    assertThat(actions()).isEmpty();
    // and when the budget allows it
    workload.allow(budget, 1);
    workload.awaitGone(pod);
    assertThat(actions()).hasSize(1);
    workload.create(0, "new", true);
    replacement.get(4, TimeUnit.MINUTES);
  }

  private void accept() {
    cluster
        .named(App.class, "cache")
        .edit(
            it -> {
              it.getMetadata().setAnnotations(Map.of(Labels.ACCEPT_DATA_LOSS, "1"));
              return it;
            });
  }

  private CompletableFuture<?> replace(int batchSize) {
    var request =
        new ReplaceRequest(
            group,
            workload.applied(),
            FakeWorkload.ordered(pod),
            batchSize,
            new AgentEndpoint(agent.port(), ""),
            false,
            false);
    return CompletableFuture.supplyAsync(
        () -> activities.replacePod(request), Thread::startVirtualThread);
  }

  private List<String> actions() {
    return agent.calls.stream().filter(call -> !call.equals("role")).toList();
  }
}
