package io.middleware.engine.e2e.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.e2e.AppBackup;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.LocalStore;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.SlowLink;
import io.middleware.engine.e2e.Yaml;
import io.middleware.engine.e2e.redis.DeployedRedisGroup;
import io.middleware.engine.e2e.redis.RedisContent;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Upgrades of real Redis servers, with a backup to a real S3 server first, or not at all. */
@EndToEnd
class BackupBeforeUpgradeE2E {
  private static final String BACKUP = "2-backup-cache";
  private static final String UPGRADE = "2-versionupgrade-redis-nodes";
  private static final String FIRST = "cache-before-g2";

  /** Bytes in a second. */
  private static final long SLOW = 20_000;

  private static final long FAST = 1_000_000_000;
  private final Shop shop;
  private final DeployedRedisGroup group;
  private final LocalStore store;
  private SlowLink link;

  BackupBeforeUpgradeE2E(Shop shop) {
    this.shop = shop;
    this.group = new DeployedRedisGroup(shop, "main");
    this.store = new LocalStore(shop);
  }

  @BeforeEach
  void deploy() {
    DeployedRedisGroup.assumeReal();
    store.inS3();
    group.deploy(app());
  }

  @AfterEach
  void close() throws IOException {
    AppBackup.deleteAll(shop);
    group.close();
    if (link != null) {
      link.close();
    }
  }

  @Test
  void shouldUpgradeWhenTheDataAreInTheStore() {
    // Given
    var written = RedisContent.write(group.primaryAddress(), 1000);
    // When
    shop.apply(upgraded().plus("  change: {approval: Manual}\n"));
    var plan = shop.awaitApp("cache", it -> it.getStatus().plan() != null).getStatus().plan();
    assertThat(plan.tasks()).extracting(TaskStatus::id).containsExactly(BACKUP, UPGRADE);
    shop.annotate("cache", Labels.APPROVE, plan.hash());
    var app = shop.awaitReady("cache");
    // Then
    assertThat(tasks(app)).containsExactly(BACKUP + " Done", UPGRADE + " Done");
    var backup = AppBackup.all(shop).getFirst();
    assertThat(backup.getMetadata().getName()).isEqualTo(FIRST);
    assertThat(backup.getMetadata().getLabels()).containsEntry(Labels.BEFORE_UPGRADE, "2");
    assertThat(backup.getStatus().phase()).isEqualTo("Succeeded");
    assertThat(backup.getStatus().runtime().version()).isEqualTo("7.0");
    assertThat(Instant.parse(backup.getStatus().completedAt()))
        .isBeforeOrEqualTo(Instant.parse(app.getStatus().tasks().getLast().startedAt()));
    assertThat(store.objects()).hasSize(1);
    shop.awaitApp("cache", it -> it.getStatus().backup() != null);
    assertThat(shop.status("cache").backup().name()).isEqualTo(FIRST);
    // and it has the data: it is not deleted by the schedule or with the App
    shop.kubectl("", "delete", "app", "cache", "-n", shop.namespace, "--timeout=4m");
    shop.apply(app().plus("  restoreFrom: {backup: %s}\n".formatted(FIRST)));
    shop.awaitReady("cache");
    assertThat(RedisContent.read(group.primaryAddress())).isEqualTo(written);
  }

  @Test
  void shouldEvictNoPodWithoutAGoodBackup() {
    // Given
    var pods = uids();
    store.secret("wrong");
    // When
    shop.apply(upgraded());
    shop.awaitTask("cache", UPGRADE, "Skipped");
    var failed = shop.awaitApp("cache", app -> isOver(app, "Failed"));
    // Then
    assertThat(failed.getStatus().change().message())
        .startsWith("task %s failed: Backup %s failed: ".formatted(BACKUP, FIRST))
        .contains("refuses the access key local", "nothing was upgraded");
    assertThat(Shop.condition(failed, "Stalled").orElseThrow().getMessage())
        .contains("kubectl describe mwbackup -n %s %s".formatted(shop.namespace, FIRST), BACKUP);
    assertThat(uids()).isEqualTo(pods);
    // When
    store.secret(LocalStore.secretKey());
    shop.annotate(
        "cache",
        Labels.RETRY_CONTROL,
        "{\"retryTaskIds\": [\"%s\"], \"resetDependencies\": true}".formatted(BACKUP));
    var app = shop.awaitApp("cache", it -> isOver(it, "Succeeded"));
    // Then
    assertThat(tasks(app)).containsExactly(BACKUP + " Done", UPGRADE + " Done");
    assertThat(AppBackup.all(shop))
        .extracting(Backup::getMetadata)
        .extracting(meta -> meta.getName())
        .containsExactlyInAnyOrder(FIRST, FIRST + "-2");
    assertThat(uids()).doesNotContainAnyElementsOf(pods);
  }

  @Test
  void shouldStopTheBackupWhenItsTaskIsCancelledAndUpgradeWithoutOne() throws IOException {
    // Given a backup that takes minutes
    RedisContent.populate(group.primaryAddress(), 200_000, 1000);
    link = new SlowLink(LocalStore.startS3());
    link.limit(SLOW);
    store.inS3(link.entrance());
    var pods = uids();
    shop.apply(upgraded());
    new AppBackup(shop, FIRST).awaits(status -> status.copies() != null);
    // When
    shop.annotate(
        "cache", Labels.CANCEL_CONTROL, "{\"cancelTaskIds\": [\"%s\"]}".formatted(BACKUP));
    var cancelled = shop.awaitApp("cache", app -> isOver(app, "Cancelled"));
    // Then
    link.limit(FAST);
    assertThat(tasks(cancelled)).containsExactly(BACKUP + " Cancelled", UPGRADE + " Skipped");
    new AppBackup(shop, FIRST).ends("Cancelled");
    assertThat(store.objects()).isEmpty();
    assertThat(uids()).isEqualTo(pods);
    // When
    shop.apply(upgraded().replace("beforeUpgrade: true", "beforeUpgrade: false"));
    // Then
    assertThat(tasks(shop.awaitReady("cache")))
        .containsExactly("3-versionupgrade-redis-nodes Done");
    assertThat(AppBackup.all(shop)).hasSize(1);
  }

  private Yaml app() {
    return shop.file("plugins/redis/app-replication.yaml")
        .replace("maxmemory: 100mb", "maxmemory: 1gb")
        .plus(
            "  deletionPolicy: Delete\n"
                + "  backup: {enabled: false, store: nightly, beforeUpgrade: true}\n");
  }

  private Yaml upgraded() {
    return app().replace("version: \"7.0\"", "version: \"7.2\"");
  }

  private static boolean isOver(App app, String outcome) {
    return outcome.equals(app.getStatus().change().outcome())
        && app.getMetadata().getGeneration().equals(app.getStatus().change().generation());
  }

  private static List<String> tasks(App app) {
    return app.getStatus().tasks().stream().map(BackupBeforeUpgradeE2E::shown).toList();
  }

  private static String shown(TaskStatus task) {
    return task.id() + " " + task.status();
  }

  private Set<String> uids() {
    return group.pods().stream()
        .map(Pod::getMetadata)
        .map(meta -> meta.getUid())
        .collect(Collectors.toSet());
  }
}
