package io.middleware.engine.e2e.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.Disruptive;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Volumes;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The worker dies while volumes grow. */
@EndToEnd
@Disruptive("kills the worker")
class StorageFailureE2E {
  private static final String CLAIM = "data-cache-redis-nodes-shard-1-1";

  private final Shop shop;
  private final Volumes volumes;
  private Map<String, String> pods;
  private AuditLog growth;

  StorageFailureE2E(Shop shop) {
    this.shop = shop;
    this.volumes = new Volumes(shop);
  }

  @BeforeEach
  void deploy() {
    shop.apply(shop.cache());
    shop.awaitReady("cache");
    pods = volumes.podUids();
    growth = AuditLog.fromNow();
  }

  @Test
  void shouldGoOnWhenTheWorkerIsKilledWhileVolumesGrow() {
    // Given
    volumes.annotate(CLAIM, Volumes.AFTER, "3s");
    shop.apply(Volumes.grown(shop.cache()));
    volumes.awaitRequest(CLAIM, "2Gi");
    // When
    Engine.dev("restart", "worker", "--kill");
    // Then
    assertThatItEndsAsIfNothingHadHappened();
  }

  @Test
  void shouldGoOnWhenTheWorkerIsKilledWhileAStatefulSetIsReplaced() {
    // Given
    shop.apply(Volumes.grown(shop.cache()));
    await("a StatefulSet is deleted")
        .pollInterval(Duration.ofMillis(1))
        .until(() -> !growth.names(shop.namespace, "statefulsets", "delete").isEmpty());
    // When
    Engine.kill("worker");
    // Then
    assertThatItEndsAsIfNothingHadHappened();
  }

  private void assertThatItEndsAsIfNothingHadHappened() {
    shop.awaitReady("cache");
    volumes.areAll("2Gi", 6);
    assertThat(volumes.podUids()).isEqualTo(pods);
    assertThat(growth.restarts(shop.namespace)).isEmpty();
    volumes.grewOnce(growth);
  }
}
