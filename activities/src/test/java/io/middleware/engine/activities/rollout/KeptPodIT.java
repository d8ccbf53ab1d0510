package io.middleware.engine.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.activities.apiserver.FakeWorkload;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.maintenance.PodDrain;
import io.middleware.engine.activities.pods.PodEvictor;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.pods.StepReporter;
import io.middleware.engine.activities.pods.StopChecks;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.cluster.status.ActionProgressWriter;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.DrainFirst;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PodActivities;
import io.middleware.engine.workflows.port.PodActivities.DrainRequest;
import io.middleware.engine.workflows.port.PodActivities.ReplaceRequest;
import io.middleware.engine.workflows.port.Preparation;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.testing.TestActivityEnvironment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Somebody has deleted the volume claim of the pod {@code cache-db-g-0}, which holds it. */
@ExtendWith(ApiServer.class)
class KeptPodIT {
  private static final String KEPT =
      "pod cache-db-g-0: its volume claim data-cache-db-g-0 is being deleted";

  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final TestActivityEnvironment temporal = TestActivityEnvironment.newInstance();
  private GroupRef group;
  private FakeWorkload workload;
  private Pod pod;
  private PersistentVolumeClaim claim;
  private PodActivities activities;

  KeptPodIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @BeforeEach
  void start() {
    var change = engine.begin(cluster.createApp());
    group = new GroupRef(new TaskRef(change, "1-restart-db", ChangeType.CONFIG, "db"), "g");
    workload = new FakeWorkload(cluster, 1);
    claim = workload.createClaim(0);
    pod = workload.create(0, "old", true);
    cluster.client().resource(claim).delete();
    activities = LocalPodActivities.start(temporal, cluster, engine);
  }

  @AfterEach
  void stop() {
    temporal.close();
  }

  @Test
  void shouldStayUntilTheUserDeletesIt() throws Exception {
    // When
    var replacement = replace();
    // Then
    engine.awaitHeartbeat(KEPT);
    awaitEvent();
    assertThat(cluster.now(pod).isMarkedForDeletion()).isFalse();
    // and when the user has saved the data
    workload.delete(pod);
    workload.release(claim);
    workload.create(0, "new", true);
    replacement.get(4, TimeUnit.MINUTES);
  }

  @Test
  void shouldStayAlsoWhenItIsBroken() throws Exception {
    // Given
    workload.delete(pod);
    pod = workload.create(0, "old", false);
    // When
    var replacement = replace();
    // Then
    engine.awaitHeartbeat(KEPT);
    assertThat(cluster.now(pod).isMarkedForDeletion()).isFalse();
    workload.delete(pod);
    workload.create(0, "new", true);
    replacement.get(4, TimeUnit.MINUTES);
  }

  @Test
  void shouldGoOnceTheUserAcceptsTheLoss() throws Exception {
    // Given
    var replacement = replace();
    engine.awaitHeartbeat(KEPT);
    // When
    accept(group.change().generation() + 1);
    accept(group.change().generation());
    // Then
    workload.awaitGone(pod);
    workload.create(0, "new", true);
    replacement.get(4, TimeUnit.MINUTES);
  }

  @Test
  void shouldHoldAStopUntilItIsGone() throws Exception {
    // When
    var prepared = CompletableFuture.runAsync(this::prepare, Thread::startVirtualThread);
    // Then
    engine.awaitHeartbeat(KEPT);
    awaitEvent();
    assertThat(prepared).isNotDone();
    // and when the user accepts the loss
    accept(group.change().generation());
    prepared.get(4, TimeUnit.MINUTES);
    assertThat(cluster.now(pod).isMarkedForDeletion()).isFalse();
  }

  private void prepare() {
    var leaving = new LeavingPod(pod.getMetadata().getName(), pod.getMetadata().getUid());
    var first =
        new DrainFirst(
            Map.of(Preparation.KEEP_VOLUMES, List.of(leaving)), AgentEndpoint.NONE, false);
    var context =
        new PodStepContext(
            cluster.view(),
            engine.waiter,
            engine.gate,
            new PodEvictor(cluster.client(), engine.writers),
            new StepReporter(
                engine.events, new ActionProgressWriter(engine.status, engine.secrets)),
            StopChecks.NONE);
    new PodDrain(context, null, null, null, new DrainRequest(group, first), "run/step")
        .run(pod -> {});
  }

  private void awaitEvent() {
    cluster
        .await()
        .untilAsserted(
            () ->
                assertThat(cluster.events())
                    .filteredOn(event -> event.getReason().equals("PodKept"))
                    .singleElement()
                    .satisfies(
                        event -> {
                          assertThat(event.getType()).isEqualTo("Warning");
                          assertThat(event.getNote()).startsWith(KEPT);
                        }));
  }

  private void accept(long generation) {
    cluster
        .named(App.class, "cache")
        .edit(
            it -> {
              it.getMetadata()
                  .setAnnotations(Map.of(Labels.ACCEPT_DATA_LOSS, String.valueOf(generation)));
              return it;
            });
  }

  private CompletableFuture<?> replace() {
    var request =
        new ReplaceRequest(
            group,
            workload.applied(),
            FakeWorkload.ordered(pod),
            1,
            AgentEndpoint.NONE,
            false,
            false);
    return CompletableFuture.supplyAsync(
        () -> activities.replacePod(request), Thread::startVirtualThread);
  }
}
