package io.middleware.engine.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.Shop;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Snapshots of a Redis that take longer than the grace time of its pod. */
@EndToEnd
@InTurn(2)
class SlowSnapshotE2E {
  private static final int KEYS = 200;

  /** A snapshot takes 40 s; the grace time is 30 s. */
  private static final Duration SLOW = Duration.ofMillis(200);

  private final Shop shop;
  private final DeployedRedisGroup group;

  SlowSnapshotE2E(Shop shop) {
    this.shop = shop;
    this.group = new DeployedRedisGroup(shop, "main");
  }

  @BeforeEach
  void deploy() {
    DeployedRedisGroup.assumeReal();
    group.deploy(shop.file("plugins/redis/app-replication.yaml"));
  }

  @AfterEach
  void close() {
    group.close();
  }

  @Test
  void shouldKeepAllKeysOfAGroupThatIsStopped() {
    // Given
    var written = RedisContent.write(group.primaryAddress(), KEYS);
    for (var pod : group.pods()) {
      RedisContent.slowSaves(address(pod), SLOW);
    }
    var app = shop.file("plugins/redis/app-replication.yaml");
    // When
    shop.apply(app.replace("  components:", "  state: Stopped\n  components:"));
    // Then
    await("progress of the snapshots")
        .atMost(Shop.PATIENCE)
        .until(
            () ->
                String.valueOf(shop.status("cache").progress())
                    .contains("make its data durable: writing a snapshot"));
    assertThat(group.pods()).hasSize(3);
    shop.awaitReady("cache");
    assertThat(group.pods()).isEmpty();
    // and when it is started again
    shop.apply(app);
    shop.awaitReady("cache");
    assertThat(RedisContent.read(group.primaryAddress())).isEqualTo(written);
  }

  private static String address(Pod pod) {
    return pod.getStatus().getPodIP();
  }
}
