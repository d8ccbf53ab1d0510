package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.planning.app.VolumeUse;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The steps on the group {@code g}, its plugin without agents. */
@ExtendWith(ApiServer.class)
class ResourceActivitiesIT {
  private final LocalNamespace cluster;
  private final LocalWriters writers;
  private final KubernetesResourceActivities activities;
  private App app;

  ResourceActivitiesIT(LocalNamespace cluster) {
    this.cluster = cluster;
    var engine = new LocalEngine(cluster);
    this.writers = new LocalWriters(engine);
    this.activities = engine.resources();
  }

  @BeforeEach
  void create() {
    cluster.createPlugin();
    app = cluster.createApp();
  }

  @Test
  void shouldWriteNothingWhileTheAppIsPaused() {
    // Given
    pause();
    var ref = writers.open(app, ChangeType.PROVISION);
    // When Then
    assertPaused(() -> activities.applyGroup(ref));
    assertPaused(() -> activities.removeGroup(ref));
    assertThat(cluster.named(Group.class, "cache-db-g").get()).isNull();
  }

  @Test
  void shouldMakeAStatefulSetAgainThatItHasDeletedAlthoughTheAppIsPaused() {
    // Given
    writers.carryOut(app, ChangeType.PROVISION);
    pause();
    var ref = writers.open(app, ChangeType.STORAGE);
    var uid = set().getMetadata().getUid();
    activities.completeGroup(ref);
    assertThat(set().getMetadata().getUid()).isEqualTo(uid);
    // When
    cluster.named(StatefulSet.class, "cache-db-g").delete();
    activities.completeGroup(ref);
    // Then
    assertThat(set().getMetadata().getUid()).isNotEqualTo(uid);
    assertThat(writers.groups.lacksStatefulSet(app, writers.group(app, ref))).isFalse();
  }

  /** Nothing but its deletion corrects what it asks for; a claim with a volume is grown. */
  @Test
  void shouldMakeAClaimAnewThatHasNoVolume() {
    // Given
    writers.carryOut(app, ChangeType.PROVISION);
    var empty = cluster.create(claim("data-cache-db-g-0", null));
    var used = cluster.create(claim("data-cache-db-g-1", "volume-1"));
    // When
    activities.applyGroup(writers.open(app, ChangeType.CONFIG));
    // Then
    assertThat(cluster.now(empty).isMarkedForDeletion()).isFalse();
    // When
    activities.applyGroup(writers.open(app, ChangeType.STORAGE));
    // Then
    var now = cluster.named(PersistentVolumeClaim.class, "data-cache-db-g-0").get();
    assertThat(now == null || now.isMarkedForDeletion()).isTrue();
    assertThat(cluster.now(used).isMarkedForDeletion()).isFalse();
  }

  private static PersistentVolumeClaim claim(String name, String volume) {
    return new PersistentVolumeClaimBuilder()
        .withNewMetadata()
        .withName(name)
        .withLabels(Labels.selector("cache", "db", "g"))
        .endMetadata()
        .withNewSpec()
        .withStorageClassName("none-of-the-cluster")
        .withVolumeName(volume)
        .withAccessModes("ReadWriteOnce")
        .withNewResources()
        .addToRequests("storage", new Quantity("1Ti"))
        .endResources()
        .endSpec()
        .build();
  }

  @Test
  void shouldReportWhichPodsASmallerGroupLoses() {
    // Given
    writers.carryOut(app, ChangeType.PROVISION);
    var pod = createPod();
    var shrunk = cluster.editApp(yaml -> yaml.replace("replicas: 2", "replicas: 1"));
    // When
    activities.applyGroup(writers.open(shrunk, ChangeType.RESOURCES));
    // Then
    awaitRemoved("pod cache-db-g-1 is removed for good: group g gets smaller");
    cluster.client().resource(pod).withGracePeriod(0).delete();
  }

  @Test
  void shouldReportWhichPodsGoWithTheirGroup() {
    // Given
    var ref = writers.carryOut(app, ChangeType.PROVISION);
    var pod = createPod();
    // When
    activities.removeDrainedGroup(ref);
    // Then
    awaitRemoved("pod cache-db-g-1 is removed for good: group db/g is removed");
    cluster.client().resource(pod).withGracePeriod(0).delete();
  }

  private Pod createPod() {
    var pod = cluster.create(podOf(set()));
    var key = new AppKey(cluster.namespace(), "cache");
    cluster.awaitSeen(
        () ->
            cluster.view().statefulSets(key).stream()
                .anyMatch(set -> !cluster.view().podsOf(key, set).isEmpty()));
    return pod;
  }

  private void awaitRemoved(String note) {
    cluster
        .await()
        .untilAsserted(
            () ->
                assertThat(cluster.events())
                    .extracting(Event::getReason, Event::getNote)
                    .containsExactly(tuple("PodRemoved", note)));
  }

  private static Pod podOf(StatefulSet set) {
    return new PodBuilder()
        .withNewMetadata()
        .withName("cache-db-g-1")
        .withLabels(Labels.selector("cache", "db", "g"))
        .addNewOwnerReference()
        .withApiVersion("apps/v1")
        .withKind("StatefulSet")
        .withName(set.getMetadata().getName())
        .withUid(set.getMetadata().getUid())
        .withController(true)
        .endOwnerReference()
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("redis")
        .withImage("redis")
        .endContainer()
        .endSpec()
        .build();
  }

  @Test
  void shouldDeleteVolumesOnlyWhereTheDeletionPolicySaysSo() {
    // Given
    var ref = writers.carryOut(app, ChangeType.PROVISION);
    cluster.create(volume());
    // When
    activities.removeDrainedGroup(ref);
    // Then
    assertThat(set()).isNull();
    assertThat(isVolumeDeleted()).isFalse();
    // and with the policy for the App's deletion
    edit("deletionPolicy: Delete");
    activities.removeDrainedGroup(writers.open(app, ChangeType.REMOVE));
    assertThat(isVolumeDeleted()).isFalse();
    awaitEvent("VolumeClaimsKept", "group db/g is removed", "stay: data-cache-db-g-0;");
    // and when somebody has approved it as well
    edit("deletionPolicy: Delete\n  change: {approval: Manual}");
    activities.removeDrainedGroup(writers.open(app, ChangeType.REMOVE));
    assertThat(isVolumeDeleted()).isTrue();
  }

  private void edit(String fields) {
    app = cluster.editApp(yaml -> yaml.replace("spec:", "spec:\n  " + fields).strip());
  }

  private void awaitEvent(String reason, String... parts) {
    cluster
        .await()
        .untilAsserted(
            () ->
                assertThat(cluster.events())
                    .filteredOn(event -> reason.equals(event.getReason()))
                    .anySatisfy(event -> assertThat(event.getNote()).contains(parts)));
  }

  /** Labels alone make no claim the group's: somebody may have copied one. */
  @Test
  void shouldDeleteOnlyVolumesThatTheGroupHasMade() {
    // Given
    var ref = writers.carryOut(app, ChangeType.PROVISION);
    cluster.create(volume());
    var copy = volume();
    copy.getMetadata().setName("data-cache-db-g-0-copy");
    cluster.create(copy);
    var other = volume();
    other.getMetadata().setName("old-cache-db-g-0");
    cluster.create(other);
    cluster.deleteByForce(app);
    // When
    edit("deletionPolicy: Delete");
    activities.removeDrainedGroup(ref);
    // Then
    assertThat(isVolumeDeleted()).isTrue();
    assertThat(cluster.now(copy).isMarkedForDeletion()).isFalse();
    assertThat(cluster.now(other).isMarkedForDeletion()).isFalse();
  }

  @Test
  void shouldWriteOnEachVolumeClaimWhatHasUsedItLast() {
    // Given
    var ref = writers.carryOut(app, ChangeType.PROVISION);
    create(volume());
    // When
    activities.settleComponent(writers.open(app, ChangeType.CONFIG).task());
    // Then
    assertThat(use().runtime().version()).isEqualTo("7.0");
    assertThat(use().plugin().version()).isEqualTo("1.0.0");
    assertThat(use().unusedSince()).isNull();
    // and when its pod is removed for good
    app = cluster.editApp(yaml -> yaml.replace("replicas: 2", "replicas: 0"));
    activities.settleComponent(writers.carryOut(app, ChangeType.RESOURCES).task());
    activities.settleComponent(writers.open(app, ChangeType.CONFIG).task());
    assertThat(use().unusedSince()).isNotNull();
    // and when another pod takes it
    app = cluster.editApp(yaml -> yaml);
    activities.applyGroup(writers.open(app, ChangeType.RESOURCES));
    awaitEvent(
        "VolumeClaimsReused",
        "new pods of group db/g use volumes that exist: data-cache-db-g-0 (unused since ",
        "last used by redis 7.0 of Plugin redis 1.0.0)");
    assertThat(ref.group()).isEqualTo("g");
  }

  private void create(PersistentVolumeClaim claim) {
    cluster.create(claim);
    var key = new AppKey(cluster.namespace(), "cache");
    cluster.awaitSeen(
        () ->
            !cluster.view().volumes(key).isEmpty() && cluster.view().statefulSets(key).size() == 1);
  }

  private VolumeUse use() {
    return VolumeUse.of(cluster.named(PersistentVolumeClaim.class, "data-cache-db-g-0").get())
        .orElseThrow();
  }

  @Test
  void shouldRemoveAGroupWhoseStatusWasWiped() {
    // Given
    var ref = writers.carryOut(app, ChangeType.PROVISION);
    wipeStatus();
    // When
    activities.removeDrainedGroup(ref);
    // Then
    assertThat(set()).isNull();
    assertThat(cluster.named(ConfigMap.class, "cache-db-g-config").get()).isNull();
  }

  @Test
  void shouldGetTheInventoryBackThatWasWiped() {
    // Given
    writers.carryOut(app, ChangeType.PROVISION);
    wipeStatus();
    // When
    app = cluster.editApp(yaml -> yaml.replace("\"7.0\"", "\"7.2\""));
    activities.applyGroup(writers.open(app, ChangeType.VERSION_UPGRADE));
    // Then
    assertThat(cluster.named(Group.class, "cache-db-g").get().getStatus().inventory())
        .extracting(InventoryItem::kind)
        .contains("StatefulSet");
  }

  private void wipeStatus() {
    cluster
        .named(Group.class, "cache-db-g")
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":null}");
    assertThat(cluster.named(Group.class, "cache-db-g").get().getStatus()).isNull();
  }

  @Test
  void shouldReleaseTheGroupOnce() {
    // Given
    var ref = writers.carryOut(app, ChangeType.PROVISION);
    // When
    activities.releaseGroup(ref);
    activities.releaseGroup(ref);
    // Then
    assertThat(cluster.named(Group.class, "cache-db-g").get()).isNull();
  }

  @Test
  void shouldTakeItsOwnFinalizerOffADeletedApp() {
    // Given
    setFinalizers("shop.io/other", Labels.TEARDOWN);
    var change = writers.engine.begin(app);
    activities.releaseApp(change);
    assertThat(cluster.now(app).getMetadata().getFinalizers()).hasSize(2);
    // When
    cluster.client().resource(app).delete();
    activities.releaseApp(change);
    activities.releaseApp(change);
    // Then
    assertThat(cluster.now(app).getMetadata().getFinalizers()).containsExactly("shop.io/other");
    // and when it is gone, and another has its name
    setFinalizers();
    activities.releaseApp(change);
    var later = cluster.createApp();
    setFinalizers(Labels.TEARDOWN);
    cluster.client().resource(later).delete();
    activities.releaseApp(change);
    assertThat(cluster.now(later).getMetadata().getFinalizers()).containsExactly(Labels.TEARDOWN);
  }

  private static void assertPaused(ThrowingCallable step) {
    assertThatThrownBy(step)
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("Paused"))
        .hasMessageContaining("App cache is paused: set spec.paused to false");
  }

  private StatefulSet set() {
    return cluster.named(StatefulSet.class, "cache-db-g").get();
  }

  private PersistentVolumeClaim volume() {
    return new PersistentVolumeClaimBuilder()
        .withNewMetadata()
        .withName("data-cache-db-g-0")
        .withLabels(Labels.selector("cache", "db", "g"))
        .endMetadata()
        .withNewSpec()
        .withAccessModes("ReadWriteOnce")
        .withNewResources()
        .addToRequests("storage", new Quantity("1Gi"))
        .endResources()
        .endSpec()
        .build();
  }

  private boolean isVolumeDeleted() {
    return cluster
        .named(PersistentVolumeClaim.class, "data-cache-db-g-0")
        .get()
        .isMarkedForDeletion();
  }

  private void setFinalizers(String... finalizers) {
    cluster
        .named(App.class, "cache")
        .edit(
            it -> {
              it.getMetadata().setFinalizers(List.of(finalizers));
              return it;
            });
  }

  private void pause() {
    app =
        cluster.editApp(
            yaml -> yaml.replace("spec:", "spec:\n  paused: true").replace("1Gi", "2Gi").strip());
  }
}
