package io.middleware.engine.activities.objects;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.resources.LocalWriters;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.render.guard.ObjectKind;
import io.middleware.engine.render.guard.RenderedObject;
import io.temporal.failure.ApplicationFailure;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Writes and deletes the ConfigMap {@code settings} of a group. */
@ExtendWith(ApiServer.class)
class ObjectWriterIT {
  private static final InventoryItem SETTINGS = new InventoryItem("v1", "ConfigMap", "settings");
  private static final Runnable NO_FENCE = () -> {};
  private static final Map<String, String> SELECTOR = Labels.selector("cache", "db", "g");

  private final LocalNamespace cluster;
  private final ObjectWriter writer;
  private final App app;
  private final Group group;

  ObjectWriterIT(LocalNamespace cluster) {
    this.cluster = cluster;
    cluster.createPlugin();
    app = cluster.createApp();
    var writers = new LocalWriters(new LocalEngine(cluster));
    writer = writers.objects;
    group = writers.group(app, writers.open(app, ChangeType.PROVISION));
  }

  @Test
  void shouldLeaveTheResourceVersionAloneWhenNothingChanges() {
    // Given
    var first = apply(app, "100mb");
    // When
    var second = apply(app, "100mb");
    // Then
    assertThat(second.getMetadata().getResourceVersion())
        .isEqualTo(first.getMetadata().getResourceVersion());
    assertThat(live().getMetadata().getOwnerReferences())
        .singleElement()
        .satisfies(owner -> assertThat(owner.getUid()).isEqualTo(group.getMetadata().getUid()));
  }

  @Test
  void shouldRefuseAnObjectThatBelongsToNobody() {
    // Given
    write("kubectl", "1gb");
    // When Then
    assertThatThrownBy(() -> check(app, group))
        .isInstanceOfSatisfying(ApplicationFailure.class, e -> assertKind(e, "Invalid"))
        .hasMessageContaining(
            "ConfigMap %s/settings already exists and does not belong to this group: it is written"
                + " by kubectl and owned by nobody; rename it or delete it",
            cluster.namespace());
    delete(app);
    assertThat(live().getData()).containsEntry("maxmemory", "1gb");
  }

  @Test
  void shouldWaitForTheObjectOfAnEarlierGroupToBeCollected() {
    // Given
    apply(app, "100mb");
    var later = new Group();
    later.setSpec(group.getSpec());
    later.setMetadata(new ObjectMetaBuilder(group.getMetadata()).withUid("later").build());
    // When Then
    assertThatThrownBy(() -> check(app, later))
        .isInstanceOfSatisfying(ApplicationFailure.class, e -> assertKind(e, "Conflict"))
        .hasMessageContaining("of an earlier Group is still being garbage-collected");
    assertThat(check(app, group).object()).isPresent();
  }

  @Test
  void shouldNameManagerAndFieldOfAConflict() {
    // Given
    apply(app, "100mb");
    write("helm", "1gb");
    // When Then
    assertThatThrownBy(() -> apply(app, "200mb"))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertKind(e, "Conflict");
              assertThat(e.isNonRetryable()).isTrue();
            })
        .hasMessageContaining(".data.maxmemory")
        .hasMessageContaining("\"helm\"")
        .hasMessageContaining("middleware.io/force-conflicts");
    assertThat(live().getData()).containsEntry("maxmemory", "1gb");
  }

  @Test
  void shouldTakeFieldsOverWhereTheAppSaysSo() {
    // Given
    write("helm", "1gb");
    app.getMetadata().setAnnotations(Map.of(Labels.FORCE_CONFLICTS, "true"));
    // When
    apply(app, "200mb");
    // Then
    assertThat(live().getData()).containsEntry("maxmemory", "200mb");
    assertThat(live().getMetadata().getManagedFields())
        .extracting(ManagedFieldsEntry::getManager)
        .containsExactly("middleware-engine");
  }

  @Test
  void shouldWriteWithTheRightsOfTheAppsAccountOnly() {
    // Given
    var restricted =
        cluster.editApp(
            yaml -> yaml.replace("spec:", "spec:\n  serviceAccountName: writer").strip());
    // When Then
    assertThatThrownBy(() -> apply(restricted, "100mb"))
        .isInstanceOfSatisfying(ApplicationFailure.class, e -> assertKind(e, "Unavailable"))
        .hasMessageContaining("system:serviceaccount:%s:writer", cluster.namespace());
    assertThat(check(restricted, group).isReadable()).isFalse();
    assertThat(live()).isNull();
    // and when it may write
    allowWriter();
    apply(restricted, "100mb");
    assertThat(live().getData()).containsEntry("maxmemory", "100mb");
  }

  @Test
  void shouldDeleteWhatBelongsToTheGroup() {
    // Given
    apply(app, "100mb");
    // When
    delete(app);
    delete(app);
    // Then
    assertThat(live()).isNull();
  }

  @Test
  void shouldDeleteTheVolumesOfTheGroupOnly() {
    // Given
    cluster.create(volume("data-cache-db-g-0", SELECTOR));
    cluster.create(volume("data-cache-db-h-0", Labels.selector("cache", "db", "h")));
    // When
    writer.volumeClaims().delete(app, writer.volumeClaims().find(cluster.namespace(), SELECTOR));
    // Then
    assertThat(deletable("data-cache-db-g-0")).isTrue();
    assertThat(deletable("data-cache-db-h-0")).isFalse();
  }

  @Test
  void shouldNotDeleteAVolumeThatHasChangedSinceItWasRead() {
    // Given
    var read = cluster.create(volume("data-cache-db-g-0", SELECTOR));
    var edited =
        cluster
            .named(PersistentVolumeClaim.class, "data-cache-db-g-0")
            .edit(it -> it.edit().editMetadata().addToAnnotations("a", "b").endMetadata().build());
    // When Then
    assertThat(writer.volumeClaims().deleteAsSeen(app, read)).isFalse();
    assertThat(writer.volumeClaims().deleteAsSeen(app, edited)).isTrue();
    assertThat(deletable("data-cache-db-g-0")).isTrue();
  }

  @Test
  void shouldReportWhatAFinalizerHoldsDuringAForcedDeletion() {
    // Given
    apply(app, "100mb");
    cluster
        .named(ConfigMap.class, "settings")
        .edit(map -> map.edit().editMetadata().addToFinalizers("a.io/b").endMetadata().build());
    var forced = cluster.now(app);
    forced.getMetadata().setAnnotations(Map.of(Labels.FORCE_DELETE, "true"));
    forced.getMetadata().setDeletionTimestamp("2026-11-21T10:00:00Z");
    // When
    delete(forced);
    writer.reportIfHeld(forced, group, SETTINGS);
    // Then
    assertThat(cluster.events())
        .singleElement()
        .extracting(Event::getNote)
        .isEqualTo(
            "abandoned during forced deletion: ConfigMap "
                + cluster.namespace()
                + "/settings: held by finalizer a.io/b");
    assertThat(writer.isMissingOrBeingDeleted(app, SETTINGS)).isTrue();
  }

  @Test
  void shouldRemoveAKeyThatAnEarlierVersionWroteAsStringData() {
    // Given
    applySecret(Map.of("stringData", Map.of("admin", "a", "old", "revoked")));
    // When
    applySecret(Map.of("data", Map.of("admin", "YQ==")));
    // Then
    assertThat(secret().getData()).containsExactly(Map.entry("admin", "YQ=="));
    // and a key of somebody else stays
    var other = secret();
    other.getData().put("mine", "eA==");
    cluster.client().resource(other).update();
    applySecret(Map.of("data", Map.of("other", "Yg==")));
    assertThat(secret().getData()).containsOnlyKeys("mine", "other");
  }

  private void applySecret(Map<String, Object> content) {
    Map<String, Object> tree = new TreeMap<>(content);
    tree.putAll(Map.of("apiVersion", "v1", "kind", "Secret", "metadata", Map.of("name", "users")));
    writer.apply(
        app,
        group,
        new RenderedObject(new ObjectKind("v1", "Secret"), "users", tree),
        writer.checkFree(app, group, new InventoryItem("v1", "Secret", "users"), NO_FENCE));
  }

  private Secret secret() {
    return cluster.named(Secret.class, "users").get();
  }

  private GenericKubernetesResource apply(App by, String maxmemory) {
    var settings =
        cluster
            .client()
            .genericKubernetesResources("v1", "ConfigMap")
            .inNamespace(cluster.namespace())
            .withName("settings");
    var seen = ObservedObject.of(Optional.ofNullable(settings.get()), NO_FENCE);
    return writer.apply(by, group, settings(maxmemory), seen);
  }

  private ObservedObject check(App by, Group owner) {
    return writer.checkFree(by, owner, SETTINGS, NO_FENCE);
  }

  private void delete(App by) {
    writer.findOwned(by, group, SETTINGS).ifPresent(found -> writer.delete(by, found, NO_FENCE));
  }

  /** As a client of this name does that takes over whatever it writes. */
  private void write(String manager, String maxmemory) {
    var map =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace(cluster.namespace())
            .withName("settings")
            .endMetadata()
            .withData(Map.of("maxmemory", maxmemory))
            .build();
    cluster.client().resource(map).fieldManager(manager).forceConflicts().serverSideApply();
  }

  private RenderedObject settings(String maxmemory) {
    var yaml =
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: settings}
        data: {maxmemory: %s}
        """
            .formatted(maxmemory);
    return new RenderedObject(
        new ObjectKind("v1", "ConfigMap"),
        "settings",
        cluster
            .client()
            .getKubernetesSerialization()
            .unmarshal(yaml, new TypeReference<Map<String, Object>>() {}));
  }

  private static PersistentVolumeClaim volume(String name, Map<String, String> labels) {
    return new PersistentVolumeClaimBuilder()
        .withNewMetadata()
        .withName(name)
        .withLabels(labels)
        .endMetadata()
        .withNewSpec()
        .withAccessModes(List.of("ReadWriteOnce"))
        .withNewResources()
        .addToRequests("storage", new Quantity("1Gi"))
        .endResources()
        .endSpec()
        .build();
  }

  /** A finalizer that every claim gets keeps it where nobody takes that off. */
  private boolean deletable(String name) {
    return cluster.named(PersistentVolumeClaim.class, name).get().isMarkedForDeletion();
  }

  private void allowWriter() {
    var rights =
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: writer}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
        subjects: [{kind: ServiceAccount, name: writer, namespace: %s}]
        """
            .formatted(cluster.namespace());
    cluster
        .client()
        .load(new ByteArrayInputStream(rights.getBytes(UTF_8)))
        .inNamespace(cluster.namespace())
        .create();
  }

  private ConfigMap live() {
    return cluster.named(ConfigMap.class, "settings").get();
  }

  private static void assertKind(ApplicationFailure failure, String kind) {
    assertThat(failure.getType()).isEqualTo(kind);
  }
}
