package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.rollout.TaskPodProgress;
import io.middleware.engine.activities.volumes.KubernetesVolumeActivities;
import io.middleware.engine.activities.volumes.VolumeClaims;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.operation.RebuildStatus.RebuiltClaim;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.GroupRemoval.Removed;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two pods with the volumes {@code data} and {@code wal}; the test is the storage driver. */
@ExtendWith(ApiServer.class)
class NamedVolumesIT {
  private static final String SET = "cache-db-g";

  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final LocalWriters writers;
  private App app;

  NamedVolumesIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    this.writers = new LocalWriters(engine);
  }

  @BeforeEach
  void create() {
    cluster.createPlugin(
        yaml ->
            yaml.replace(
                        "    templates:\n",
                        "    volumes: [{name: data, default: true}, {name: wal}]\n    templates:\n")
                    .strip()
                + """

                          - metadata: {name: wal}
                            spec:
                              accessModes: [ReadWriteOnce]
                              storageClassName: "${volumes.wal.storageClassName}"
                              resources: {requests: {storage: "${volumes.wal.size}"}}
                """);
    app = cluster.createApp(yaml -> with(yaml, "1Gi"));
    writers.carryOut(app, ChangeType.PROVISION);
    List.of("data", "wal").forEach(volume -> List.of(0, 1).forEach(pod -> create(volume, pod)));
  }

  @Test
  void shouldGrowOneOfThemAlsoWhereTheWorkerDiesInTheMiddle() throws Exception {
    // Given
    var data = versions("data");
    app = cluster.editApp(yaml -> with(yaml, "3Gi"));
    var ref = writers.open(app, ChangeType.STORAGE);
    // When a worker dies once it has asked for more
    var first = Thread.startVirtualThread(() -> activities().growVolumes(ref));
    cluster.await().until(() -> requests().equals(List.of("1Gi", "1Gi", "3Gi", "3Gi")));
    var asked = versions("wal-cache-db-g-1");
    first.interrupt();
    first.join();
    // and another one goes on
    var second =
        CompletableFuture.runAsync(() -> activities().growVolumes(ref), Thread::startVirtualThread);
    resize("wal-cache-db-g-0", "3Gi");
    cluster
        .await()
        .until(
            () -> engine.heartbeats.stream().anyMatch(it -> it.contains("wal-cache-db-g-1: has")));
    assertThat(progress(ref)).contains("grown wal-cache-db-g-0").hasSize(3);
    assertThat(versions("wal-cache-db-g-1")).as("it is asked once").isEqualTo(asked);
    resize("wal-cache-db-g-1", "3Gi");
    second.get(4, TimeUnit.MINUTES);
    // and dies again while the StatefulSet is replaced
    var before = set().getMetadata().getUid();
    var third = Thread.startVirtualThread(() -> writers.write(app, ref));
    cluster.awaitSeen(() -> set().isMarkedForDeletion());
    third.interrupt();
    third.join();
    letGo();
    var applied = writers.write(app, ref).orElseThrow();
    // Then
    assertThat(applied.uid()).isNotEqualTo(before);
    assertThat(templates()).containsExactly("data 1Gi", "wal 3Gi");
    assertThat(versions("data")).as("nothing has written them").isEqualTo(data);
    assertThat(progress(ref)).hasSize(4);
  }

  @Test
  void shouldRebuildAPodWithAllOfItsVolumes() {
    assertThat(new VolumeClaims(cluster.client(), engine.writers).of(set(), SET + "-1"))
        .extracting(RebuiltClaim::name)
        .containsExactly("data-cache-db-g-1", "wal-cache-db-g-1");
  }

  @Test
  void shouldKeepAllVolumesOfAGroupThatIsRemoved() {
    // Given what uses them is written on them
    engine.resources().settleComponent(writers.task(app, ChangeType.PROVISION));
    assertThat(claims())
        .hasSize(4)
        .allSatisfy(
            claim -> assertThat(claim.getMetadata().getAnnotations()).containsKey(Labels.LAST_USE));
    // When
    var removal = engine.resources().removeGroup(writers.open(app, ChangeType.REMOVE));
    // Then
    assertThat(removal).isEqualTo(new Removed());
    assertThat(claims()).hasSize(4);
    cluster
        .await()
        .untilAsserted(
            () ->
                assertThat(cluster.events())
                    .filteredOn(event -> event.getReason().equals("VolumeClaimsKept"))
                    .singleElement()
                    .satisfies(
                        event ->
                            assertThat(event.getNote())
                                .contains("data-cache-db-g-0", "wal-cache-db-g-0")));
  }

  private static String with(String app, String size) {
    return app.replace(
        "storage: {size: 1Gi}",
        "storage: {size: 1Gi}, volumes: [{name: wal, size: %s}]".formatted(size));
  }

  private KubernetesVolumeActivities activities() {
    return new KubernetesVolumeActivities(
        cluster.client(),
        engine.writers,
        engine.gate,
        cluster.view(),
        engine.waiter,
        engine.groups);
  }

  private List<String> progress(GroupRef ref) {
    return new TaskPodProgress(engine.objects, engine.plugins, engine.specHistory, cluster.view())
        .of(ref.task())
        .progress();
  }

  private void create(String volume, int pod) {
    var name = "%s-%s-%d".formatted(volume, SET, pod);
    cluster.create(
        new PersistentVolumeClaimBuilder()
            .withNewMetadata()
            .withName(name)
            .withLabels(Labels.selector("cache", "db", "g"))
            .endMetadata()
            .withNewSpec()
            .withStorageClassName(cluster.storageClass(true))
            .withVolumeName(name)
            .withAccessModes("ReadWriteOnce")
            .withNewResources()
            .addToRequests("storage", new Quantity("1Gi"))
            .endResources()
            .endSpec()
            .build());
    resize(name, "1Gi");
  }

  private void resize(String claim, String capacity) {
    var resized =
        cluster
            .named(PersistentVolumeClaim.class, claim)
            .editStatus(
                it ->
                    new PersistentVolumeClaimBuilder(it)
                        .withNewStatus()
                        .withPhase("Bound")
                        .withAccessModes("ReadWriteOnce")
                        .withCapacity(Map.of("storage", new Quantity(capacity)))
                        .endStatus()
                        .build());
    cluster.awaitSeen(
        () ->
            cluster.view().volumes(new AppKey(cluster.namespace(), "cache")).stream()
                .anyMatch(
                    volume ->
                        volume.claim().getStatus().equals(resized.getStatus())
                            && volume.name().equals(claim)));
  }

  private List<PersistentVolumeClaim> claims() {
    return cluster.all(PersistentVolumeClaim.class).stream()
        .sorted(Comparator.comparing(claim -> claim.getMetadata().getName()))
        .toList();
  }

  private List<String> requests() {
    return claims().stream().map(NamedVolumesIT::size).toList();
  }

  private static String size(PersistentVolumeClaim claim) {
    return claim.getSpec().getResources().getRequests().get("storage").toString();
  }

  private List<String> templates() {
    return set().getSpec().getVolumeClaimTemplates().stream()
        .map(template -> template.getMetadata().getName() + " " + size(template))
        .toList();
  }

  /** Of the claims whose names begin so. */
  private List<String> versions(String start) {
    return claims().stream()
        .map(HasMetadata::getMetadata)
        .filter(metadata -> metadata.getName().startsWith(start))
        .map(ObjectMeta::getResourceVersion)
        .toList();
  }

  private StatefulSet set() {
    return cluster.named(StatefulSet.class, SET).get();
  }

  /** As the garbage collector does once its pods have no owner any more. */
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
    cluster.awaitSeen(() -> set() == null);
  }
}
