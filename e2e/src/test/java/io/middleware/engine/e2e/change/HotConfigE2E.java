package io.middleware.engine.e2e.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.Labels;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Agents reload hot parameters in running pods. */
@EndToEnd
class HotConfigE2E {
  private static final List<String> NODES =
      List.of(
          "cache-redis-nodes-shard-0-0",
          "cache-redis-nodes-shard-0-1",
          "cache-redis-nodes-shard-1-0",
          "cache-redis-nodes-shard-1-1");

  private final Shop shop;

  HotConfigE2E(Shop shop) {
    this.shop = shop;
  }

  @Test
  void shouldPutHotValuesInForceWithoutARestart() {
    // Given
    var app = shop.cache().replace("replicas: 3", "replicas: 2");
    shop.apply(app);
    shop.awaitReady("cache");
    var audit = AuditLog.fromNow();
    // When
    shop.apply(app.replace("maxmemory: 100mb", "maxmemory: 200mb"));
    // Then
    assertThat(shop.awaitReady("cache").getStatus().tasks())
        .extracting(task -> task.id(), task -> task.status(), task -> task.description())
        .containsExactly(
            tuple("2-config-redis-nodes", "Done", "maxmemory of redis-nodes: 100mb → 200mb (hot)"));
    assertThat(audit.restarts(shop.namespace)).isEmpty();
    assertThat(audit.writes(shop.namespace))
        .filteredOn(write -> write.resource().equals("configmaps"))
        .extracting(AuditLog.Entry::name)
        .filteredOn(name -> !name.equals(Labels.METADATA))
        .containsOnly("cache-redis-nodes-shard-0-config", "cache-redis-nodes-shard-1-config");
    assertThat(redisConf()).contains("maxmemory 200mb");
    awaitReloads();
  }

  /** The engine records it once the pod's agent has reported the requested checksum. */
  private void awaitReloads() {
    await("reloads of " + NODES)
        .untilAsserted(
            () ->
                assertThat(shop.events("cache", "PodReloaded"))
                    .allMatch(
                        event -> event.getMessage().contains("appendonly, maxmemory into force"))
                    .extracting(event -> event.getMessage().split(" ")[1])
                    .containsExactlyInAnyOrderElementsOf(NODES));
  }

  private String redisConf() {
    return shop.client
        .configMaps()
        .inNamespace(shop.namespace)
        .withName("cache-redis-nodes-shard-0-config")
        .get()
        .getData()
        .get("redis.conf");
  }
}
