package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.GroupRef;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Writes the ConfigMap and the StatefulSet of the group {@code g}. */
@ExtendWith(ApiServer.class)
class GroupWriterIT {
  private static final String SET = "cache-db-g";
  private static final InventoryItem SET_ITEM = new InventoryItem("apps/v1", "StatefulSet", SET);
  private static final InventoryItem CONFIG_ITEM =
      new InventoryItem("v1", "ConfigMap", "cache-db-g-config");

  private final LocalNamespace cluster;
  private final LocalWriters writers;
  private App app;

  GroupWriterIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.writers = new LocalWriters(new LocalEngine(cluster));
  }

  @BeforeEach
  void create() {
    cluster.createPlugin();
    app = cluster.createApp();
  }

  @Test
  void shouldListItsObjectsBeforeItWritesTheFirst() {
    // Given
    app =
        cluster.editApp(
            yaml -> yaml.replace("spec:", "spec:\n  serviceAccountName: nobody").strip());
    var ref = writers.open(app, ChangeType.PROVISION);
    // When
    assertThatThrownBy(() -> writers.write(app, ref))
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("Unavailable"));
    // Then
    assertThat(inventory()).containsExactly(CONFIG_ITEM, SET_ITEM);
    assertThat(cluster.named(ConfigMap.class, CONFIG_ITEM.name()).get()).isNull();
  }

  @Test
  void shouldWriteNothingTheSecondTime() {
    // Given
    var ref = writers.carryOut(app, ChangeType.PROVISION);
    var before = versions();
    // When
    var applied = writers.write(app, ref).orElseThrow();
    // Then
    assertThat(versions()).isEqualTo(before);
    assertThat(applied.name()).isEqualTo(SET);
    assertThat(applied.uid()).isEqualTo(set().getMetadata().getUid());
  }

  @Test
  void shouldKeepWhatIsNotRenderedAnyMoreUntilItsPodsAreReplaced() {
    // Given
    writers.carryOut(app, ChangeType.PROVISION);
    withoutConfigMap();
    // When
    writers.carryOut(app, ChangeType.CONFIG);
    // Then
    assertThat(cluster.named(ConfigMap.class, CONFIG_ITEM.name()).get()).isNotNull();
    assertThat(inventory()).containsExactlyInAnyOrder(SET_ITEM, CONFIG_ITEM);
  }

  /** A plan refuses it; this one was made before it could. */
  @Test
  void shouldNeverPruneAWorkloadThatHasVolumeClaims() {
    // Given
    writers.carryOut(app, ChangeType.PROVISION);
    var before = set();
    cluster.named(Plugin.class, "redis-v1.0.0").delete();
    cluster.createPlugin(
        yaml ->
            yaml.replace(
                "StatefulSet\n        metadata: {name: \"${name}\"}",
                "StatefulSet\n        metadata: {name: \"${name}-db\"}"));
    var ref = writers.open(app, ChangeType.CONFIG);
    // When Then
    assertThatThrownBy(() -> writers.write(app, ref))
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("Invalid"))
        .hasMessageContaining("StatefulSet cache-db-g has pods or volume claims");
    assertThat(set()).isEqualTo(before);
    assertThat(cluster.named(StatefulSet.class, SET + "-db").get()).isNull();
    assertThat(inventory()).containsExactly(CONFIG_ITEM, SET_ITEM);
  }

  @Test
  void shouldRemoveEverythingButTheGroup() {
    // Given
    var ref = writers.carryOut(app, ChangeType.PROVISION);
    // When
    var found = writers.findToRemove(app, writers.group(app, ref));
    writers.groups.remove(app, found, writers.fence(ref));
    // Then
    assertThat(set()).isNull();
    assertThat(cluster.named(ConfigMap.class, CONFIG_ITEM.name()).get()).isNull();
    assertThat(inventory()).containsExactly(CONFIG_ITEM, SET_ITEM);
  }

  @Test
  void shouldReplaceTheStatefulSetWhenItsVolumesGrow() {
    // Given
    writers.carryOut(app, ChangeType.PROVISION);
    var before = set();
    var ref = grow();
    // When
    collectOrphans();
    var applied = writers.write(app, ref).orElseThrow();
    // Then
    assertThat(set().getMetadata().getUid())
        .isNotEqualTo(before.getMetadata().getUid())
        .isEqualTo(applied.uid());
    assertThat(size()).isEqualTo("2Gi");
  }

  @Test
  void shouldReplaceTheStatefulSetWhenNoVolumeWasMadeOfTheSizeThatWasWrong() {
    // Given
    writers.carryOut(app, ChangeType.PROVISION);
    var uid = set().getMetadata().getUid();
    app = cluster.editApp(yaml -> yaml.replace("1Gi", "512Mi"));
    var ref = writers.open(app, ChangeType.STORAGE);
    // When
    collectOrphans();
    writers.write(app, ref);
    // Then
    assertThat(set().getMetadata().getUid()).isNotEqualTo(uid);
    assertThat(size()).isEqualTo("512Mi");
  }

  /** An edit of what has never been deployed is none of its volumes. */
  @Test
  void shouldReplaceItInAnyTaskWhileItsFirstDeploymentHasNotFinished() {
    // Given
    var ref = writers.open(app, ChangeType.PROVISION);
    writers.write(app, ref);
    var uid = set().getMetadata().getUid();
    cluster.named(Plugin.class, "redis-v1.0.0").delete();
    cluster.createPlugin(yaml -> yaml.replace("\"${storage.size}\"", "3Gi"));
    // When
    collectOrphans();
    writers.write(app, writers.open(app, ChangeType.CONFIG));
    // Then
    assertThat(set().getMetadata().getUid()).isNotEqualTo(uid);
    assertThat(size()).isEqualTo("3Gi");
  }

  @Test
  void shouldKeepTheVolumesThatItHasWhenATemplateHasAnotherDefault() {
    // Given
    writers.carryOut(app, ChangeType.PROVISION);
    var uid = set().getMetadata().getUid();
    cluster.named(Plugin.class, "redis-v1.0.0").delete();
    cluster.createPlugin(
        yaml ->
            yaml.replace("\"${storage.size}\"}}", "64Mi}}\n              storageClassName: fast"));
    // When
    writers.carryOut(app, ChangeType.CONFIG);
    // Then
    assertThat(set().getMetadata().getUid()).isEqualTo(uid);
    assertThat(size()).isEqualTo("1Gi");
  }

  @Test
  void shouldLeaveAJobAloneThatHasCompleted() {
    // Given
    var uid = job("r:1");
    complete();
    // When
    edited("r:2");
    // Then
    assertThat(theJob().getMetadata().getUid()).isEqualTo(uid);
    assertThat(image()).isEqualTo("r:1");
  }

  @Test
  void shouldMakeAJobAnewThatHasNotCompleted() {
    // Given
    var uid = job("r:1");
    // When
    edited("r:2");
    // Then
    assertThat(theJob().getMetadata().getUid()).isNotEqualTo(uid);
    assertThat(image()).isEqualTo("r:2");
  }

  /** The engine labels all pods with the version of their Plugin. */
  @Test
  void shouldKeepAJobThatIsTheSameInANewVersionOfThePlugin() {
    // Given
    var uid = job("r:1");
    cluster.createPlugin(
        yaml ->
            withJob(yaml, "r:1")
                .replace("redis-v1.0.0", "redis-v1.1.0")
                .replace("version: 1.0.0", "version: 1.1.0"));
    app = cluster.editApp(yaml -> yaml.replace("version: 1.0.0", "version: 1.1.0"));
    // When
    writers.carryOut(app, ChangeType.VERSION_UPGRADE);
    // Then
    assertThat(theJob().getMetadata().getUid()).isEqualTo(uid);
  }

  private String job(String image) {
    cluster.named(Plugin.class, "redis-v1.0.0").delete();
    cluster.createPlugin(yaml -> withJob(yaml, image));
    writers.carryOut(app, ChangeType.PROVISION);
    return theJob().getMetadata().getUid();
  }

  private void edited(String image) {
    cluster.named(Plugin.class, "redis-v1.0.0").delete();
    cluster.createPlugin(yaml -> withJob(yaml, image));
    writers.carryOut(app, ChangeType.CONFIG);
  }

  private static String withJob(String yaml, String image) {
    return yaml
        + """
              - template:
                  apiVersion: batch/v1
                  kind: Job
                  metadata: {name: "${name}-init"}
                  spec:
                    template:
                      spec:
                        restartPolicy: Never
                        containers: [{name: init, image: "%s"}]
          """
            .formatted(image);
  }

  private void complete() {
    var now = "2026-01-01T00:00:00Z";
    cluster
        .named(Job.class, SET + "-init")
        .editStatus(
            it ->
                new JobBuilder(it)
                    .withNewStatus()
                    .withStartTime(now)
                    .withCompletionTime(now)
                    .addNewCondition()
                    .withType("SuccessCriteriaMet")
                    .withStatus("True")
                    .endCondition()
                    .addNewCondition()
                    .withType("Complete")
                    .withStatus("True")
                    .endCondition()
                    .endStatus()
                    .build());
  }

  private Job theJob() {
    return cluster.named(Job.class, SET + "-init").get();
  }

  private String image() {
    return theJob().getSpec().getTemplate().getSpec().getContainers().getFirst().getImage();
  }

  @Test
  void shouldTakeOverAStatefulSetThatABackupToolHasBroughtBack() {
    // Given
    writers.carryOut(app, ChangeType.PROVISION);
    cluster
        .named(StatefulSet.class, SET)
        .edit(
            set ->
                new StatefulSetBuilder(set)
                    .editMetadata()
                    .withOwnerReferences()
                    .endMetadata()
                    .build());
    // When
    writers.carryOut(app, ChangeType.CONFIG);
    // Then
    assertThat(set().getMetadata().getOwnerReferences())
        .extracting(OwnerReference::getName)
        .containsExactly(SET);
  }

  @Test
  void shouldNotReplaceItInATaskOfAnotherType() {
    // Given
    writers.carryOut(app, ChangeType.PROVISION);
    var uid = set().getMetadata().getUid();
    app = cluster.editApp(yaml -> yaml.replace("1Gi", "2Gi").replace("replicas: 2", "replicas: 3"));
    // When
    writers.carryOut(app, ChangeType.RESOURCES);
    // Then
    assertThat(set().getMetadata().getUid()).isEqualTo(uid);
    assertThat(set().getSpec().getReplicas()).isEqualTo(3);
    assertThat(size()).isEqualTo("1Gi");
  }

  @Test
  void shouldGoOnWhenItWasCutOffWhileTheOldStatefulSetIsBeingDeleted() {
    // Given
    var ref = cutOffBeforeApply();
    assertThat(writers.groups.lacksStatefulSet(app, writers.group(app, ref))).isTrue();
    assertThat(set().isMarkedForDeletion()).isTrue();
    // When
    collectOrphans();
    writers.write(app, ref);
    // Then
    assertThat(set().isMarkedForDeletion()).isFalse();
    assertThat(size()).isEqualTo("2Gi");
    assertThat(writers.groups.lacksStatefulSet(app, writers.group(app, ref))).isFalse();
  }

  @Test
  void shouldGoOnWhenItWasCutOffAfterTheOldStatefulSetHasGone() {
    // Given
    var ref = cutOffBeforeApply();
    letGo();
    cluster.awaitSeen(() -> set() == null);
    // When
    writers.write(app, ref);
    // Then
    assertThat(size()).isEqualTo("2Gi");
  }

  @Test
  void shouldKeepTheOldStatefulSetWhenTheApiServerRefusesTheNewOne() {
    // Given
    writers.carryOut(app, ChangeType.PROVISION);
    var before = set();
    cluster.named(Plugin.class, "redis-v1.0.0").delete();
    cluster.createPlugin(yaml -> yaml.replace("serviceName: \"${name}\"", "serviceName: other"));
    var ref = grow();
    // When Then
    assertThatThrownBy(() -> writers.write(app, ref))
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("Invalid"));
    assertThat(set()).isEqualTo(before);
  }

  private GroupRef grow() {
    app = cluster.editApp(yaml -> yaml.replace("1Gi", "2Gi"));
    return writers.open(app, ChangeType.STORAGE);
  }

  private GroupRef cutOffBeforeApply() {
    writers.carryOut(app, ChangeType.PROVISION);
    var ref = grow();
    var group = writers.group(app, ref);
    var set = writers.check(app, ref, group).objects().get(SET_ITEM).object().orElseThrow();
    writers.objects.deleteWithoutPods(app, set, writers.fence(ref));
    return ref;
  }

  /** Once a StatefulSet is deleted, as the garbage collector would. */
  private void collectOrphans() {
    var key = new AppKey(cluster.namespace(), "cache");
    Thread.startVirtualThread(
        () -> {
          cluster.awaitSeen(
              () ->
                  cluster
                      .view()
                      .statefulSet(key, SET)
                      .filter(StatefulSet::isMarkedForDeletion)
                      .isPresent());
          letGo();
        });
  }

  private void letGo() {
    cluster
        .named(StatefulSet.class, SET)
        .edit(
            set ->
                new StatefulSetBuilder(set)
                    .editMetadata()
                    .withFinalizers(List.of())
                    .endMetadata()
                    .build());
  }

  private void withoutConfigMap() {
    cluster
        .named(Plugin.class, "redis-v1.0.0")
        .edit(
            plugin -> {
              plugin.getSpec().componentTypes().getFirst().templates().removeFirst();
              return plugin;
            });
  }

  private StatefulSet set() {
    return cluster.named(StatefulSet.class, SET).get();
  }

  private String size() {
    var claim = set().getSpec().getVolumeClaimTemplates().getFirst();
    return claim.getSpec().getResources().getRequests().get("storage").toString();
  }

  private List<InventoryItem> inventory() {
    return cluster.named(Group.class, "cache-db-g").get().getStatus().inventory();
  }

  private Map<String, String> versions() {
    return Map.of(
        "set",
        set().getMetadata().getResourceVersion(),
        "group",
        cluster.named(Group.class, "cache-db-g").get().getMetadata().getResourceVersion());
  }
}
