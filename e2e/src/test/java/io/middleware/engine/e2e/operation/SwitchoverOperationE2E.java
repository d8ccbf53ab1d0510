package io.middleware.engine.e2e.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.operation.SwitchoverStatus;
import io.middleware.engine.e2e.AppOperation;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Operations hand primaries over, and touch no pod. */
@EndToEnd
class SwitchoverOperationE2E {
  private static final String TOOK_OVER = "agent.local.middleware.io/took-over-from";

  private final Shop shop;

  SwitchoverOperationE2E(Shop shop) {
    this.shop = shop;
  }

  @Test
  void shouldHandOverThePrimaryOfEachGroup() {
    // Given
    shop.apply(shop.cache().replace("replicas: 3", "replicas: 2"));
    shop.awaitReady("cache");
    var audit = AuditLog.fromNow();
    // When
    var status =
        new AppOperation(shop, "switchover-1", "Switchover")
            .apply(", target: {component: redis-nodes}")
            .ends("Succeeded");
    // Then
    assertThat(status.switchovers())
        .extracting(SwitchoverStatus::group, SwitchoverStatus::from, SwitchoverStatus::to)
        .containsExactlyInAnyOrder(
            tuple("shard-0", "cache-redis-nodes-shard-0-0", "cache-redis-nodes-shard-0-1"),
            tuple("shard-1", "cache-redis-nodes-shard-1-0", "cache-redis-nodes-shard-1-1"));
    assertThat(tookOver())
        .containsExactly("cache-redis-nodes-shard-0-1", "cache-redis-nodes-shard-1-1");
    assertThat(audit.restarts(shop.namespace)).isEmpty();
    assertThat(shop.awaitReady("cache").getStatus().operation()).isNull();
    assertThat(shop.events("cache", "PrimarySwitchedOver")).hasSize(2);
  }

  private List<String> tookOver() {
    return shop.pods("cache").stream()
        .map(Pod::getMetadata)
        .filter(pod -> pod.getAnnotations().containsKey(TOOK_OVER))
        .map(pod -> pod.getName())
        .sorted()
        .toList();
  }
}
