package io.middleware.engine.e2e.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Volumes;
import io.middleware.engine.e2e.Yaml;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One edit grows volumes and repairs a pod: the volumes come first and do not wait for the pod. */
@EndToEnd
class StorageRepairE2E {
  private final Shop shop;

  StorageRepairE2E(Shop shop) {
    this.shop = shop;
  }

  /** In the second shard no pod can be made that has 32 databases. */
  @BeforeEach
  void deploy() {
    var fault =
        "${group == 'shard-1' && config.?databases.orValue(0) == 32"
            + " ? optional.of('image-pull') : optional.none()}";
    shop.applyPlugin(
        shop.sample("plugin-redis.yaml")
            .replace("redis-v1.0.0", "redis-v1.0.4")
            .replace("version: 1.0.0", "version: 1.0.4")
            .replace(
                "ready-after: 500ms}",
                "ready-after: 500ms, local.middleware.io/fault: \"" + fault + "\"}"));
    shop.apply(app(16));
    shop.awaitReady("cache");
  }

  @Test
  void shouldNotWaitForThePodThatHangs() {
    // Given
    shop.apply(app(32));
    await("a pod hangs").atMost(Shop.PATIENCE).until(this::isAnyHanging);
    var repair = AuditLog.fromNow();
    // When
    shop.apply(Volumes.grown(app(48)));
    // Then
    assertThat(shop.awaitReady("cache").getStatus().tasks())
        .extracting(TaskStatus::id, TaskStatus::status)
        .containsExactly(
            tuple("3-storage-redis-nodes", "Done"), tuple("3-config-redis-nodes", "Done"));
    new Volumes(shop).areAll("2Gi", 6);
    assertThat(repair.restarts(shop.namespace)).hasSize(6).doesNotHaveDuplicates();
  }

  private boolean isAnyHanging() {
    return shop.pods("cache").stream()
        .flatMap(pod -> pod.getStatus().getContainerStatuses().stream())
        .anyMatch(container -> container.getState().getWaiting() != null);
  }

  private Yaml app(int databases) {
    return shop.cache()
        .replace("version: 1.0.0", "version: 1.0.4")
        .replace("databases: 16", "databases: " + databases)
        .replace("onNewChange: Wait", "onNewChange: Supersede");
  }
}
