package io.middleware.engine.e2e.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.e2e.AppBackup;
import io.middleware.engine.e2e.AppOperation;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.LocalStore;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Temporal;
import io.middleware.engine.e2e.Volumes;
import io.middleware.engine.e2e.Yaml;
import io.middleware.engine.e2e.redis.DeployedRedisGroup;
import io.middleware.engine.e2e.redis.RedisContent;
import io.middleware.engine.proof.Proves;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Backups of real Redis servers to a real S3 server, and what is restored from them. */
@Proves(
    plugin = "redis",
    versions = "redis 7.0",
    what = "A backup in an S3 server gives all keys back, and a damaged one is never served.")
@EndToEnd
@Order(1)
class BackupE2E {
  private static final int KEYS = 10_000;
  private static final Duration A_SECOND = Duration.ofMillis(1100);
  private static final String POD_0 = "cache-redis-nodes-main-0";

  private final Shop shop;
  private final Temporal temporal;
  private final DeployedRedisGroup group;
  private final LocalStore store;

  BackupE2E(Shop shop, Temporal temporal) {
    this.shop = shop;
    this.temporal = temporal;
    this.group = new DeployedRedisGroup(shop, "main");
    this.store = new LocalStore(shop);
  }

  @BeforeEach
  void requireRedis() {
    DeployedRedisGroup.assumeReal();
  }

  @AfterEach
  void close() {
    AppBackup.deleteAll(shop);
    group.close();
  }

  @Test
  void shouldRestoreAllKeysOfADeletedAppWithItsVolumes() throws IOException {
    // Given
    store.inS3();
    group.deploy(app(""));
    var written = RedisContent.write(group.primaryAddress(), KEYS);
    // When
    var backup = new AppBackup(shop, "monday").apply().ends("Succeeded");
    // Then
    assertThat(backup.done()).isEqualTo("1/1");
    assertThat(backup.copies())
        .singleElement()
        .satisfies(
            copy -> {
              assertThat(copy.pod()).isNotEqualTo(group.primary());
              assertThat(copy.checksum()).startsWith("sha256:");
              assertThat(copy.bytes()).isEqualTo(store.sizes().getFirst());
            });
    shop.awaitApp("cache", app -> app.getStatus().backup() != null);
    assertThat(shop.app("cache").getStatus().backup().name()).isEqualTo("monday");
    // When
    shop.kubectl("", "delete", "app", "cache", "-n", shop.namespace, "--timeout=4m");
    await("volumes gone").atMost(Shop.PATIENCE).until(() -> new Volumes(shop).claims().isEmpty());
    shop.apply(app("  restoreFrom: {backup: monday}\n"));
    shop.awaitReady("cache");
    // Then
    assertThat(RedisContent.read(group.primaryAddress())).isEqualTo(written);
    awaitSizes(KEYS);
    // and no empty pod is ever filled from it again
    assertThat(config()).doesNotContainKey("restore");
    // and the App does not need the backup any more
    new AppBackup(shop, "monday").delete();
    assertThat(store.objects()).isEmpty();
    shop.apply(
        app("  restoreFrom: {backup: monday}\n").replace("maxmemory: 100mb", "maxmemory: 110mb"));
    shop.awaitReady("cache");
    assertThat(shop.refusal(app("  restoreFrom: {backup: tuesday}\n")))
        .contains("only a new App can be restored");
  }

  @Test
  void shouldFillAnAppThatStartsLaterButNoPodThatIsRebuilt() {
    // Given
    store.inFolder();
    group.deploy(app(""));
    RedisContent.write(group.primaryAddress(), 10);
    new AppBackup(shop, "monday").apply().ends("Succeeded");
    shop.kubectl("", "delete", "app", "cache", "-n", shop.namespace, "--timeout=4m");
    var restored = app("  restoreFrom: {backup: monday}\n");
    shop.apply(restored.replace("spec:\n", "spec:\n  state: Stopped\n"));
    shop.awaitReady("cache");
    shop.apply(restored.replace("spec:\n", "spec:\n  state: Running\n"));
    shop.awaitReady("cache");
    awaitSizes(10);
    var written = RedisContent.write(group.primaryAddress(), 20);
    new AppOperation(shop, "away", "Switchover")
        .apply(", target: {component: redis-nodes}")
        .ends("Succeeded");
    // When
    new AppOperation(shop, "rebuild", "Rebuild")
        .apply(", target: {component: redis-nodes, pods: [%s]}".formatted(POD_0))
        .ends("Succeeded");
    // Then
    assertThat(RedisContent.read(group.primaryAddress())).isEqualTo(written);
    awaitSizes(20);
  }

  @Test
  void shouldServeNothingFromADamagedCopy() throws IOException {
    // Given
    store.inS3();
    group.deploy(app(""));
    RedisContent.write(group.primaryAddress(), 10);
    new AppBackup(shop, "monday").apply().ends("Succeeded");
    shop.kubectl("", "delete", "app", "cache", "-n", shop.namespace, "--timeout=4m");
    // When
    Files.writeString(store.objects().getFirst(), "more", StandardOpenOption.APPEND);
    shop.apply(app("  restoreFrom: {backup: monday}\n"));
    // Then
    await("what is wrong")
        .atMost(Shop.PATIENCE)
        .ignoreExceptions()
        .until(
            () -> temporal.heartbeats("app/%s/cache".formatted(shop.namespace)),
            said -> said.contains("is corrupt: its checksum is sha256:"));
    assertThat(group.writer.primaryAddress()).isEmpty();
    shop.kubectl("", "delete", "app", "cache", "-n", shop.namespace, "--timeout=4m");
  }

  @Test
  void shouldBackUpByScheduleAndKeepTheNewest() {
    // Given
    store.inS3();
    group.deploy(app("").replace("schedule: \"@yearly\"", "schedule: \"@yearly\", retention: 2"));
    var schedule = "backup/%s/cache".formatted(shop.namespace);
    // When
    await("schedule")
        .atMost(Shop.PATIENCE)
        .ignoreExceptions()
        .until(() -> !schedule("describe", schedule).isEmpty());
    for (var made = 1; made <= 3; made++) {
      var newest = newest();
      schedule("trigger", schedule);
      await("backup " + made)
          .atMost(Shop.PATIENCE)
          .pollDelay(A_SECOND) // the name of a Backup has the second of its time
          .until(() -> isQuiet() && !newest().equals(newest));
    }
    // Then
    await("oldest removed").atMost(Shop.PATIENCE).until(() -> AppBackup.all(shop).size() == 2);
    assertThat(store.objects()).hasSize(2);
    assertThat(AppBackup.all(shop))
        .allSatisfy(it -> assertThat(it.getMetadata().getName()).matches("cache-\\d{8}-\\d{6}"));
    // When
    shop.apply(app("").replace("spec:\n", "spec:\n  state: Stopped\n"));
    // Then
    await("paused")
        .atMost(Shop.PATIENCE)
        .until(() -> schedule("describe", schedule).contains("the App is stopped"));
    // When
    shop.kubectl("", "delete", "app", "cache", "-n", shop.namespace, "--timeout=4m");
    // Then
    await("schedule gone")
        .atMost(Shop.PATIENCE)
        .until(
            () -> Engine.run(List.of("temporal", "schedule", "list")),
            list -> !list.contains(schedule));
    assertThat(succeeded()).hasSize(2);
  }

  @Test
  void shouldNameWhatIsWrongWithTheStoreAndKeepTheLastGoodBackup() {
    // Given
    store.inS3();
    group.deploy(app(""));
    new AppBackup(shop, "good").apply().ends("Succeeded");
    // When
    store.secret("wrong");
    // Then
    var bad = new AppBackup(shop, "bad").apply().ends("Failed");
    store.secret(LocalStore.secretKey());
    assertThat(bad.message())
        .contains("refuses the access key local: check 'access-key', 'secret-key'");
    shop.awaitApp("cache", app -> app.getStatus().backup() != null);
    assertThat(shop.app("cache").getStatus().backup().name()).isEqualTo("good");
    assertThat(store.objects()).hasSize(1);
    await("event").untilAsserted(() -> assertThat(shop.events("bad", "BackupFailed")).hasSize(1));
  }

  @Test
  void shouldSayWhyThereIsNothingToBackUp() {
    // Given
    shop.applyPlugin(shop.file("plugins/redis/plugin.yaml"));
    var without = shop.file("plugins/redis/app-replication.yaml");
    // Then
    assertThat(new AppBackup(shop, "no-app").apply().ends("Failed").message())
        .contains("cache does not exist");
    // When
    shop.apply(without);
    shop.awaitReady("cache");
    // Then
    assertThat(new AppBackup(shop, "no-store").apply().ends("Failed").message())
        .contains("spec.backup.store");
    // When
    shop.apply(app(""));
    // Then
    shop.awaitApp(
        "cache",
        app ->
            Shop.condition(app, "Accepted")
                .filter(it -> it.getMessage().contains("BackupStore nightly does not exist"))
                .isPresent());
  }

  /** Each server has so many keys. */
  private void awaitSizes(long keys) {
    await("sizes")
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(group.writer.sizes()).containsOnly(keys));
  }

  private Map<String, String> config() {
    return shop.client
        .configMaps()
        .inNamespace(shop.namespace)
        .withName("cache-redis-nodes-main-config")
        .get()
        .getData();
  }

  private Yaml app(String lines) {
    return AppBackup.app(shop).plus(lines);
  }

  private List<Backup> succeeded() {
    return AppBackup.all(shop).stream().filter(Backup::hasSucceeded).toList();
  }

  /** No run is open, which may still delete old Backups. */
  private boolean isQuiet() {
    return temporal
        .list(
            "WorkflowId STARTS_WITH 'backup/%s/' AND ExecutionStatus = 'Running'"
                .formatted(shop.namespace))
        .isEmpty();
  }

  private String newest() {
    var all = succeeded();
    return all.isEmpty() ? "" : all.getLast().getMetadata().getName();
  }

  private static String schedule(String verb, String id) {
    return Engine.run(List.of("temporal", "schedule", verb, "--schedule-id", id));
  }
}
