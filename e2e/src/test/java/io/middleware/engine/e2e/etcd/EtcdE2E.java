package io.middleware.engine.e2e.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.e2e.AppBackup;
import io.middleware.engine.e2e.AppOperation;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.LocalStore;
import io.middleware.engine.e2e.PodDiary;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import io.middleware.engine.e2e.redis.DeployedRedisGroup;
import io.middleware.engine.proof.Proves;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Real members of etcd behind the pods, written to all the time while the App changes. */
@Proves(
    plugin = "etcd",
    versions = {"etcd 3.6", "etcd 3.7"},
    what =
        "More and fewer members, an upgrade and the way back, and backups lose no confirmed write.")
@EndToEnd
@InTurn(2)
class EtcdE2E {
  private static final String APP = "keys";
  private static final String BACKUP = "before-the-sale";
  private static final String RESTORED = "keys-restored";
  private static final String REASON = "3.7, which 3.6 does not read: run the action downgrade";

  private final Shop shop;

  EtcdE2E(Shop shop) {
    this.shop = shop;
  }

  @Test
  void shouldGrowShrinkUpgradeAndGoBackWithoutLosingAWrite() throws InterruptedException {
    // Given
    DeployedRedisGroup.assumeReal();
    shop.applyPlugin(shop.file("plugins/etcd/plugin.yaml"));
    shop.apply(app());
    shop.awaitReady(APP);
    try (var client = new EtcdClient(this::addresses);
        var writer = new EtcdWriter(this::addresses)) {
      writer.start();
      // When a member joins and leaves
      try (var diary = new PodDiary(shop.client, shop.namespace)) {
        shop.apply(app().replace("replicas: 3", "replicas: 4"));
        shop.awaitReady(APP);
        shop.apply(app());
        shop.awaitReady(APP);
        // Then no other one is touched
        assertThat(diary.lines())
            .containsExactly("keys-etcd-main-3 ready", "keys-etcd-main-3 leaves");
      }
      // When all get a later version, one after the other
      oneAtATime(app().replace("\"3.6\"", "\"3.7\""), () -> {});
      await("data of 3.7")
          .atMost(Shop.PATIENCE)
          .ignoreExceptions()
          .until(() -> client.storageVersion().startsWith("3.7"));
      // When they are to go back, then the first one waits until the data are ready for it
      oneAtATime(
          app(),
          () -> {
            await("a pod that waits")
                .atMost(Shop.PATIENCE)
                .until(() -> shop.events(APP, "StopRefused").toString().contains(REASON));
            new AppOperation(shop, "down", "downgrade", APP).apply().ends("Succeeded");
          });
      // Then
      assertThat(writer.confirmed()).hasSizeGreaterThan(10);
      assertThat(writer.lost()).isEmpty();
    }
  }

  @Test
  void shouldGiveAllKeysBackToAnotherAppAndUnderTheSameName() throws InterruptedException {
    // Given
    DeployedRedisGroup.assumeReal();
    shop.applyPlugin(shop.file("plugins/etcd/plugin.yaml"));
    new LocalStore(shop).inFolder();
    shop.apply(backedUp());
    shop.awaitReady(APP);
    try (var writer = new EtcdWriter(this::addresses);
        var client = new EtcdClient(this::addresses);
        var other = new EtcdClient(() -> addresses(RESTORED))) {
      writer.start();
      await("some keys").until(() -> writer.confirmed().size() > 100);
      var before = writer.confirmed();
      // When it is backed up while keys are written
      new AppBackup(shop, BACKUP, APP).apply().ends("Succeeded");
      assertThat(writer.lost()).isEmpty();
      shop.apply(shop.file("plugins/etcd/app-restored.yaml"));
      shop.awaitReady(RESTORED);
      // Then another App has all that was confirmed before
      var restored = other.keys(EtcdWriter.PREFIX);
      assertThat(restored).containsKeys(before.toArray(String[]::new));
      // When the App is restored under its own name
      shop.kubectl("", "delete", "app", APP, "-n", shop.namespace, "--timeout=4m");
      shop.apply(backedUp().plus("  restoreFrom: {backup: %s}\n".formatted(BACKUP)));
      shop.awaitReady(APP);
      // Then it has the same
      assertThat(client.keys(EtcdWriter.PREFIX)).isEqualTo(restored);
    }
    AppBackup.deleteAll(shop);
  }

  private void oneAtATime(Yaml edited, Runnable meanwhile) {
    var audit = AuditLog.fromNow();
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      // When
      shop.apply(edited);
      meanwhile.run();
      shop.awaitReady(APP);
      // Then
      assertThat(diary.mostDownAtOnce()).isEqualTo(1);
    }
    assertThat(audit.restarts(shop.namespace)).hasSize(3).doesNotHaveDuplicates();
  }

  /** Without backups, and with 3.6. */
  private Yaml app() {
    return shop.file("plugins/etcd/app.yaml").replaceFirst("(?m)^  backup: .*\\n", "");
  }

  /** With its store, and so that it leaves no volumes. */
  private Yaml backedUp() {
    return shop.file("plugins/etcd/app.yaml").plus("  deletionPolicy: Delete\n");
  }

  private List<String> addresses() {
    return addresses(APP);
  }

  private List<String> addresses(String app) {
    return shop.pods(app).stream()
        .map(pod -> pod.getStatus().getPodIP())
        .filter(Objects::nonNull)
        .toList();
  }
}
