package io.middleware.engine.e2e.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Volumes;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Volumes grow under the pods that use them. */
@EndToEnd
@Order(1)
class StorageE2E {
  private final Shop shop;
  private final Volumes volumes;

  StorageE2E(Shop shop) {
    this.shop = shop;
    this.volumes = new Volumes(shop);
  }

  @Test
  void shouldGrowVolumesAndLeaveThePodsAlone() {
    // Given
    shop.apply(shop.cache());
    shop.awaitReady("cache");
    var growth = AuditLog.fromNow();
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
                "2-storage-redis-nodes",
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
}
