package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.DrainFirst;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.GroupRemoval.Removed;
import io.middleware.engine.workflows.port.GroupWrite.Applied;
import io.middleware.engine.workflows.port.Preparation;
import io.temporal.failure.ApplicationFailure;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Somebody has deleted the volume claim of the pod {@code cache-db-g-1}, which holds it. */
@ExtendWith(ApiServer.class)
class KeptGroupIT {
  private final LocalNamespace cluster;
  private final LocalWriters writers;
  private final KubernetesResourceActivities activities;
  private App app;
  private Pod pod;

  KeptGroupIT(LocalNamespace cluster) {
    this.cluster = cluster;
    var engine = new LocalEngine(cluster);
    this.writers = new LocalWriters(engine);
    this.activities = engine.resources();
  }

  @BeforeEach
  void create() {
    cluster.createPlugin();
    app = cluster.createApp();
    writers.carryOut(app, ChangeType.PROVISION);
    pod = createPod();
    cluster.client().resource(createClaim()).delete();
  }

  @Test
  void shouldNotBeMadeSmaller() {
    assertKept(yaml -> yaml.replace("replicas: 2", "replicas: 1"), ChangeType.RESOURCES);
  }

  @Test
  void shouldNotBeStopped() {
    assertKept(yaml -> yaml.replace("spec:", "spec:\n  state: Stopped").strip(), ChangeType.STOP);
  }

  @Test
  void shouldNotBeMadeEmpty() {
    assertKept(yaml -> yaml.replace("replicas: 2", "replicas: 0"), ChangeType.RESOURCES);
  }

  @Test
  void shouldBeWrittenWhereThePodStays() {
    // Given
    app = cluster.editApp(yaml -> yaml.replace("replicas: 2", "replicas: 3"));
    // When
    var written = activities.applyGroup(writers.open(app, ChangeType.RESOURCES));
    // Then
    assertThat(written).isInstanceOf(Applied.class);
    assertThat(set().getSpec().getReplicas()).isEqualTo(3);
  }

  @Test
  void shouldNotBeRemovedWhereVolumesAreToStay() {
    // Given
    var ref = writers.open(app, ChangeType.REMOVE);
    // When
    var removal = activities.removeGroup(ref);
    // Then
    assertFirst(removal);
    assertUnavailable(() -> activities.removeDrainedGroup(ref));
    assertThat(set()).isNotNull();
  }

  @Test
  void shouldNotBeRemovedWhereAPodOfADeploymentMountsTheClaim() {
    // Given
    cluster.client().resource(pod).withGracePeriod(0).delete();
    pod = createPod("cache-db-g-6d4f9-x7k2p", "ReplicaSet", "uid-of-a-replica-set");
    cluster.awaitSeen(
        () -> cluster.view().pods(key()).stream().anyMatch(it -> it.uid().equals(uid())));
    // When
    var removal = activities.removeGroup(writers.open(app, ChangeType.REMOVE));
    // Then
    assertFirst(removal);
  }

  @Test
  void shouldBeRemovedWhereVolumesGoAnyway() {
    // Given
    app =
        cluster.editApp(
            yaml ->
                yaml.replace(
                        "spec:", "spec:\n  deletionPolicy: Delete\n  change: {approval: Manual}")
                    .strip());
    // When
    var removal = activities.removeGroup(writers.open(app, ChangeType.REMOVE));
    // Then
    assertThat(removal).isEqualTo(new Removed());
    assertThat(set()).isNull();
  }

  private void assertKept(UnaryOperator<String> edit, ChangeType type) {
    // Given
    app = cluster.editApp(edit);
    var ref = writers.open(app, type);
    // When
    var written = activities.applyGroup(ref);
    // Then
    assertFirst(written);
    assertUnavailable(() -> activities.applyDrainedGroup(ref));
    assertThat(set().getSpec().getReplicas()).isEqualTo(2);
    // and when the user accepts the loss
    accept();
    assertThat(activities.applyGroup(ref)).isInstanceOf(Applied.class);
    assertThat(set().getSpec().getReplicas()).isLessThan(2);
  }

  private void assertFirst(Object outcome) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            DrainFirst.class,
            first -> {
              assertThat(first.preparations()).containsExactly(Preparation.KEEP_VOLUMES);
              assertThat(first.pods())
                  .containsExactly(new LeavingPod(pod.getMetadata().getName(), uid()));
            });
  }

  private static void assertUnavailable(Runnable write) {
    assertThatThrownBy(write::run)
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("Unavailable"))
        .hasMessageContaining("volume claim data-cache-db-g-1 is being deleted");
  }

  private void accept() {
    var generation = app.getMetadata().getGeneration();
    cluster
        .named(App.class, "cache")
        .edit(
            it -> {
              it.getMetadata()
                  .setAnnotations(Map.of(Labels.ACCEPT_DATA_LOSS, String.valueOf(generation)));
              return it;
            });
    cluster.awaitSeen(
        () -> cluster.view().app(key()).filter(it -> it.acceptsDataLoss(generation)).isPresent());
  }

  private StatefulSet set() {
    return cluster.named(StatefulSet.class, "cache-db-g").get();
  }

  private PersistentVolumeClaim createClaim() {
    return cluster.create(
        new PersistentVolumeClaimBuilder()
            .withNewMetadata()
            .withName("data-cache-db-g-1")
            .withLabels(Labels.selector("cache", "db", "g"))
            .endMetadata()
            .withNewSpec()
            .withAccessModes("ReadWriteOnce")
            .withNewResources()
            .addToRequests("storage", new Quantity("1Gi"))
            .endResources()
            .endSpec()
            .build());
  }

  private AppKey key() {
    return new AppKey(cluster.namespace(), "cache");
  }

  private String uid() {
    return pod.getMetadata().getUid();
  }

  private Pod createPod() {
    var created = createPod("cache-db-g-1", "StatefulSet", set().getMetadata().getUid());
    cluster.awaitSeen(
        () ->
            cluster.view().statefulSets(key()).stream()
                .anyMatch(set -> !cluster.view().podsOf(key(), set).isEmpty()));
    return created;
  }

  private Pod createPod(String name, String ownerKind, String ownerUid) {
    return cluster.create(
        new PodBuilder()
            .withNewMetadata()
            .withName(name)
            .withLabels(Labels.selector("cache", "db", "g"))
            .addNewOwnerReference()
            .withApiVersion("apps/v1")
            .withKind(ownerKind)
            .withName("cache-db-g")
            .withUid(ownerUid)
            .withController(true)
            .endOwnerReference()
            .endMetadata()
            .withNewSpec()
            .addNewContainer()
            .withName("redis")
            .withImage("redis")
            .endContainer()
            .addNewVolume()
            .withName("data")
            .withNewPersistentVolumeClaim("data-cache-db-g-1", false)
            .endVolume()
            .endSpec()
            .build());
  }
}
