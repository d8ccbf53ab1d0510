package io.middleware.engine.activities.volumes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.middleware.engine.activities.apiserver.FakeWorkload;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.rollout.TaskPodProgress;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Grows the volumes of the group {@code g} to 2Gi; the test is the storage driver. */
@ExtendWith(ApiServer.class)
class VolumeExpansionIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private App app;
  private GroupRef group;

  VolumeExpansionIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @BeforeEach
  void start() {
    cluster.createPlugin();
    app = cluster.createApp(yaml -> yaml.replace("1Gi", "2Gi"));
    var task = new TaskRef(engine.begin(app), "1-storage-db", ChangeType.STORAGE, "db");
    engine.resources().openComponent(task);
    group = new GroupRef(task, "g");
  }

  @Test
  void shouldAskForMoreAndWaitUntilItIsThere() throws Exception {
    // Given
    var claim = bound(create("data-cache-db-g-0", "g", cluster.storageClass(true)));
    var other = bound(create("data-cache-db-h-0", "h", cluster.storageClass(true)));
    // When
    var grown = grow();
    // Then
    cluster.await().until(() -> requested(claim).equals("2Gi"));
    awaitHeartbeat("data-cache-db-g-0: has 1Gi of 2Gi");
    assertThat(grown).isNotDone();
    assertThat(requested(other)).isEqualTo("1Gi");
    // and when the driver has grown it
    resize(claim, "2Gi");
    grown.get(4, TimeUnit.MINUTES);
  }

  @Test
  void shouldCountEachGrownVolumeAsProgress() throws Exception {
    // Given
    var first = bound(create("data-cache-db-g-0", "g", cluster.storageClass(true)));
    var second = bound(create("data-cache-db-g-1", "g", cluster.storageClass(true)));
    var progress =
        new TaskPodProgress(engine.objects, engine.plugins, engine.specHistory, cluster.view());
    // When
    var grown = grow();
    cluster.await().until(() -> requested(second).equals("2Gi"));
    assertThat(progress.of(group.task()).progress()).isEmpty();
    resize(first, "2Gi");
    // Then
    cluster
        .await()
        .untilAsserted(
            () ->
                assertThat(progress.of(group.task()).progress())
                    .containsExactly("grown data-cache-db-g-0"));
    resize(second, "2Gi");
    grown.get(4, TimeUnit.MINUTES);
  }

  @Test
  void shouldAskForMoreOnceAVolumeIsThere() throws Exception {
    // Given
    var claim = create("data-cache-db-g-0", "g", cluster.storageClass(true));
    // When
    var grown = grow();
    // Then
    awaitHeartbeat("a volume can grow only once it is bound");
    assertThat(requested(claim)).isEqualTo("1Gi");
    // and when it is bound
    bound(claim);
    cluster.await().until(() -> requested(claim).equals("2Gi"));
    resize(claim, "2Gi");
    grown.get(4, TimeUnit.MINUTES);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldNotWaitForVolumesOfPodsThatWereScaledAway(boolean mayGrow) throws Exception {
    // Given a driver that grows no volume without a pod, or a class that does not allow it
    new FakeWorkload(cluster, 1);
    var claim = bound(create("data-cache-db-g-0", "g", cluster.storageClass(true)));
    var left = bound(create("data-cache-db-g-1", "g", cluster.storageClass(mayGrow)));
    // When
    var grown = grow();
    cluster.await().until(() -> requested(claim).equals("2Gi"));
    resize(claim, "2Gi");
    // Then
    grown.get(4, TimeUnit.MINUTES);
    assertThat(requested(left)).isEqualTo(mayGrow ? "2Gi" : "1Gi");
  }

  @Test
  void shouldLeaveAVolumeAloneThatIsLargerAlready() throws Exception {
    // Given
    var claim = bound(create("data-cache-db-g-0", "g", cluster.storageClass(true)));
    request(claim, "3Gi");
    resize(claim, "3Gi");
    var version = cluster.now(claim).getMetadata().getResourceVersion();
    // When
    grow().get(4, TimeUnit.MINUTES);
    // Then
    assertThat(cluster.now(claim).getMetadata().getResourceVersion()).isEqualTo(version);
  }

  @Test
  void shouldFailWithTheApiServersMessageWhenTheClassCannotGrow() {
    // Given
    bound(create("data-cache-db-g-0", "g", cluster.storageClass(false)));
    // When Then
    assertFails(grow(), "Forbidden", "data-cache-db-g-0");
  }

  @Test
  void shouldStopWaitingWhenTheRunLockIsLost() {
    // Given
    bound(create("data-cache-db-g-0", "g", cluster.storageClass(true)));
    var grown = grow();
    awaitHeartbeat("data-cache-db-g-0: has 1Gi of 2Gi");
    // When
    engine.openRun = "run-2";
    engine.lock.acquire(cluster.change(app, "run-2"));
    // Then
    assertFails(grown, "Superseded", "this step writes nothing");
  }

  private CompletableFuture<Void> grow() {
    var activities =
        new KubernetesVolumeActivities(
            cluster.client(),
            engine.writers,
            engine.gate,
            cluster.view(),
            engine.waiter,
            engine.groups);
    return CompletableFuture.runAsync(
        () -> activities.growVolumes(group), Thread::startVirtualThread);
  }

  private static void assertFails(CompletableFuture<Void> step, String kind, String message) {
    assertThatThrownBy(() -> step.get(4, TimeUnit.MINUTES))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo(kind))
        .hasMessageContaining(message);
  }

  private void awaitHeartbeat(String part) {
    cluster.await().until(() -> engine.heartbeats.stream().anyMatch(it -> it.contains(part)));
  }

  private PersistentVolumeClaim create(String name, String group, String storageClass) {
    return cluster.create(
        new PersistentVolumeClaimBuilder()
            .withNewMetadata()
            .withName(name)
            .withLabels(Labels.selector("cache", "db", group))
            .endMetadata()
            .withNewSpec()
            .withStorageClassName(storageClass)
            .withVolumeName(name)
            .withAccessModes("ReadWriteOnce")
            .withNewResources()
            .addToRequests("storage", new Quantity("1Gi"))
            .endResources()
            .endSpec()
            .build());
  }

  private PersistentVolumeClaim bound(PersistentVolumeClaim claim) {
    return resize(claim, "1Gi");
  }

  private PersistentVolumeClaim resize(PersistentVolumeClaim claim, String capacity) {
    return cluster
        .named(PersistentVolumeClaim.class, claim.getMetadata().getName())
        .editStatus(
            it ->
                new PersistentVolumeClaimBuilder(it)
                    .withNewStatus()
                    .withPhase("Bound")
                    .withAccessModes("ReadWriteOnce")
                    .withCapacity(Map.of("storage", new Quantity(capacity)))
                    .endStatus()
                    .build());
  }

  private void request(PersistentVolumeClaim claim, String size) {
    cluster
        .named(PersistentVolumeClaim.class, claim.getMetadata().getName())
        .edit(
            it ->
                new PersistentVolumeClaimBuilder(it)
                    .editSpec()
                    .editResources()
                    .addToRequests("storage", new Quantity(size))
                    .endResources()
                    .endSpec()
                    .build());
  }

  private String requested(PersistentVolumeClaim claim) {
    return cluster.now(claim).getSpec().getResources().getRequests().get("storage").toString();
  }
}
