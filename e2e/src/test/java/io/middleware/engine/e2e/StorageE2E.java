package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.Labels;
import io.middleware.engine.api.TaskStatus;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Volumes grow under the pods that use them. */
@EndToEnd
@Order(1)
class StorageE2E {
  private static final String TASK = "2-storage-redis-nodes";
  private static final String CLAIM = "data-cache-redis-nodes-shard-1-1";

  private final Shop shop;
  private final Volumes volumes;
  private AuditLog growth;

  StorageE2E(Shop shop) {
    this.shop = shop;
    this.volumes = new Volumes(shop);
  }

  @Test
  void shouldGrowVolumesAndLeaveThePodsAlone() {
    // Given
    deployed(shop.cache());
    var pods = volumes.podUids();
    var sets = volumes.sets().stream().map(set -> set.getMetadata().getUid()).toList();
    // When
    shop.apply(Volumes.grown(shop.cache()));
    // Then
    var app = shop.awaitReady("cache");
    assertThat(app.getStatus().tasks())
        .extracting(TaskStatus::id, TaskStatus::description, TaskStatus::status)
        .containsExactly(
            tuple(
                TASK,
                "storage of redis-nodes/shard-0: 1Gi → 2Gi;"
                    + " storage of redis-nodes/shard-1: 1Gi → 2Gi",
                "Done"));
    volumes.areAll("2Gi", 6);
    assertThat(volumes.podUids()).isEqualTo(pods);
    assertThat(volumes.sets())
        .extracting(set -> set.getMetadata().getUid())
        .doesNotContainAnyElementsOf(sets);
    assertThat(growth.restarts(shop.namespace)).isEmpty();
    volumes.grewOnce(growth);
    // and pods that come later have volumes as large
    shop.apply(
        Volumes.grown(shop.cache())
            .replace("name: shard-1, replicas: 3", "name: shard-1, replicas: 4"));
    assertThat(shop.awaitReady("cache").getStatus().ready()).isEqualTo("10/10");
    volumes.areAll("2Gi", 7);
    assertThat(growth.restarts(shop.namespace)).isEmpty();
  }

  @Test
  void shouldWaitForASlowOneAndSayForWhich() {
    // Given
    deployed(shop.cache());
    volumes.annotate(CLAIM, Volumes.AFTER, "20s");
    var began = Instant.now();
    // When
    shop.apply(Volumes.grown(shop.cache()));
    // Then
    try (var temporal = new Temporal()) {
      var id = "app/%s/cache/2/%s".formatted(shop.namespace, TASK);
      await("heartbeat")
          .ignoreExceptions()
          .until(
              () -> temporal.heartbeats(id),
              words ->
                  words.contains(
                      "volume claim "
                          + CLAIM
                          + ": has 1Gi of 2Gi: Resizing: simulated volume expansion"));
    }
    shop.awaitReady("cache");
    assertThat(Duration.between(began, Instant.now())).isGreaterThan(Duration.ofSeconds(19));
    volumes.areAll("2Gi", 6);
  }

  @Test
  void shouldSayWhyAVolumeDoesNotGrowAndGoOnOnceItDoes() {
    // Given
    deployed(shop.cache());
    var pods = volumes.podUids();
    volumes.annotate(CLAIM, Volumes.FAULT, "pool-1 has no space left");
    // When
    shop.apply(
        Volumes.grown(shop.cache())
            .replace("change: {timeouts: {", "change: {timeouts: {Storage: 12s, "));
    // Then
    var task = shop.awaitTask("cache", TASK, "Failed");
    System.out.println(task.error());
    assertThat(task.error().reason()).isEqualTo("TaskTimedOut");
    assertThat(task.error().message())
        .isEqualTo(
            ("timed out after 12s while waiting for volume claim %s: has 1Gi of 2Gi:"
                    + " ControllerResizeError: pool-1 has no space left; nothing was rolled back")
                .formatted(CLAIM));
    // and again when the cause is gone
    volumes.annotate(CLAIM, Volumes.FAULT, "");
    shop.annotate("cache", Labels.RETRY_CONTROL, "{\"retryTaskIds\": [\"" + TASK + "\"]}");
    shop.awaitTask("cache", TASK, "Done");
    shop.awaitReady("cache");
    volumes.areAll("2Gi", 6);
    assertThat(volumes.podUids()).isEqualTo(pods);
    assertThat(growth.restarts(shop.namespace)).isEmpty();
  }

  @Test
  void shouldLetAVersionGoBeforeAGrowthThatIsStuck() {
    // Given
    deployed(shop.cache());
    volumes.annotate("data-cache-redis-nodes-shard-0-0", Volumes.FAULT, "pool-1 has no space left");
    var stuck = Volumes.grown(shop.cache()).replace("timeouts: {", "timeouts: {Storage: 3s, ");
    shop.apply(stuck);
    shop.awaitTask("cache", TASK, "Failed");
    // When
    shop.apply(stuck.replace("version: \"7.0\"", "version: \"7.2\""));
    // Then
    shop.awaitTask("cache", "3-storage-redis-nodes", "Failed");
    assertThat(shop.status("cache").tasks())
        .extracting(TaskStatus::id, TaskStatus::status)
        .containsExactly(
            tuple("3-versionupgrade-sentinel", "Done"),
            tuple("3-versionupgrade-redis-nodes", "Done"),
            tuple("3-storage-redis-nodes", "Failed"));
    assertThat(growth.restarts(shop.namespace)).hasSize(9).doesNotHaveDuplicates();
    assertThat(growth.names(shop.namespace, "statefulsets", "delete")).isEmpty();
  }

  @Test
  void shouldNeedNoHealthyPod() {
    // Given
    deployed(shop.cache());
    var pod = "cache-redis-nodes-shard-1-1";
    crash(pod, "=true");
    shop.awaitApp("cache", app -> "8/9".equals(app.getStatus().ready()));
    // When
    shop.apply(Volumes.grown(shop.cache()));
    // Then
    shop.awaitTask("cache", TASK, "Done");
    volumes.areAll("2Gi", 6);
    assertThat(
            shop.awaitApp("cache", app -> app.getStatus().change().outcome() != null).getStatus())
        .satisfies(status -> assertThat(status.change().outcome()).isEqualTo("Succeeded"))
        .satisfies(status -> assertThat(status.ready()).isEqualTo("8/9"));
    crash(pod, "-");
    shop.awaitReady("cache");
    assertThat(growth.restarts(shop.namespace)).isEmpty();
  }

  @Test
  void shouldRefuseAClassThatCannotGrowBeforeAnythingIsWritten() {
    // Given
    var fixed =
        shop.cache()
            .replace("storage: {size: 1Gi", "storage: {storageClassName: local-fixed, size: 1Gi");
    deployed(fixed);
    // When
    shop.apply(Volumes.grown(fixed));
    // Then
    var app =
        shop.awaitApp(
            "cache",
            a ->
                Shop.condition(a, "Accepted")
                    .filter(c -> c.getStatus().equals("False"))
                    .isPresent());
    var accepted = Shop.condition(app, "Accepted").orElseThrow();
    System.out.println(accepted.getMessage());
    assertThat(accepted.getMessage())
        .startsWith(
            "spec.components[redis-nodes].groups[shard-0].storage.size:"
                + " PersistentVolumeClaim data-cache-redis-nodes-shard-0-0 cannot grow"
                + " from 1Gi to 2Gi:"
                + " StorageClass local-fixed does not have allowVolumeExpansion: true");
    assertThat(growth.operations(shop.namespace, "cache")).isEmpty();
    assertThat(growth.names(shop.namespace, "persistentvolumeclaims", "patch")).isEmpty();
    // and the edit can be taken back
    shop.apply(fixed);
    shop.awaitReady("cache");
  }

  @Test
  void shouldGrowWithoutPodsAndTheVolumesThatNoPodHas() {
    // Given
    deployed(shop.cache());
    var fewer = shop.cache().replace("name: shard-1, replicas: 3", "name: shard-1, replicas: 1");
    shop.apply(fewer);
    shop.awaitReady("cache");
    shop.apply(stopped(fewer));
    shop.awaitReady("cache");
    // When
    shop.apply(stopped(Volumes.grown(fewer)));
    // Then
    assertThat(shop.awaitReady("cache").getStatus().tasks())
        .extracting(TaskStatus::id)
        .containsExactly("4-storage-redis-nodes");
    assertThat(volumes.sizes())
        .hasSize(6)
        .allSatisfy((n, size) -> assertThat(size).isEqualTo("2Gi of 2Gi"));
    shop.apply(Volumes.grown(shop.cache()));
    shop.awaitReady("cache");
    volumes.areAll("2Gi", 6);
  }

  @Test
  void shouldNotBringWhatOtherTasksBring() {
    // Given
    deployed(shop.cache());
    var pods = volumes.podUids();
    volumes.annotate("data-cache-redis-nodes-shard-0-0", Volumes.AFTER, "2s");
    // When
    shop.apply(Volumes.grown(shop.cache()).replace("databases: 16", "databases: 32"));
    // Then
    var app = shop.awaitReady("cache");
    assertThat(app.getStatus().tasks())
        .extracting(TaskStatus::id)
        .containsExactly(TASK, "2-config-redis-nodes");
    var storage = app.getStatus().tasks().getFirst();
    var restarts =
        growth.writes(shop.namespace).stream()
            .filter(w -> w.resource().equals("pods/eviction"))
            .toList();
    assertThat(restarts).hasSize(6);
    assertThat(growth.restarts(shop.namespace)).doesNotHaveDuplicates();
    assertThat(restarts)
        .allSatisfy(
            one -> assertThat(one.at()).isAfterOrEqualTo(Instant.parse(storage.completedAt())));
    assertThat(volumes.podUids().keySet()).isEqualTo(pods.keySet());
    volumes.areAll("2Gi", 6);
  }

  private void deployed(Yaml app) {
    shop.apply(app);
    shop.awaitReady("cache");
    growth = AuditLog.fromNow();
  }

  private static Yaml stopped(Yaml app) {
    return app.replaceFirst("spec:\n", "spec:\n  state: Stopped\n");
  }

  private void crash(String pod, String value) {
    shop.kubectl(
        "", "annotate", "pod", pod, "-n", shop.namespace, "local.middleware.io/crash" + value);
  }
}
