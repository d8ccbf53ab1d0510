package io.middleware.engine.e2e.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.e2e.AppOperation;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.PodDiary;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import io.middleware.engine.e2e.redis.DeployedRedisGroup;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Real members of etcd behind the pods, written to all the time while the App changes. */
@EndToEnd
@InTurn(2)
class EtcdE2E {
  private static final String APP = "keys";
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
    try (var writer = new EtcdWriter(this::addresses)) {
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
          .until(() -> writer.storageVersion().startsWith("3.7"));
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

  private List<String> addresses() {
    return shop.pods(APP).stream()
        .map(pod -> pod.getStatus().getPodIP())
        .filter(Objects::nonNull)
        .toList();
  }
}
