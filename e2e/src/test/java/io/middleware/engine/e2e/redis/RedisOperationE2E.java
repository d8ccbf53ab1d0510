package io.middleware.engine.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.e2e.AppOperation;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.PodDiary;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Volumes;
import io.middleware.engine.proof.Proves;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operations on real Redis servers that are written to all the time. */
@Proves(
    plugin = "redis",
    versions = "redis 7.0",
    what = "Switchovers to a named replica and rebuilds lose no confirmed write.")
@EndToEnd
class RedisOperationE2E {
  private final Shop shop;
  private final DeployedRedisGroup group;
  private final RedisWriter writer;

  RedisOperationE2E(Shop shop) {
    this.shop = shop;
    this.group = new DeployedRedisGroup(shop, "main");
    this.writer = group.writer;
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
  void shouldSwitchOverToTheNamedReplicaWithoutLosingAWrite() throws InterruptedException {
    // Given
    var audit = AuditLog.fromNow();
    writer.start();
    // When
    for (var pod : new String[] {name(2), name(1), name(0)}) {
      new AppOperation(shop, "to-" + pod, "Switchover")
          .apply(", target: {component: redis-nodes, pods: [%s]}".formatted(pod))
          .ends("Succeeded");
      // Then
      assertThat(group.primary()).isEqualTo(pod);
    }
    new AppOperation(shop, "to-any", "Switchover")
        .apply(", target: {component: redis-nodes}")
        .ends("Succeeded");
    assertThat(group.primary()).isEqualTo(name(1));
    assertThat(audit.restarts(shop.namespace)).isEmpty();
    group.assertThatNothingIsLost("4 switchovers"); // dev/bench measures the gap
  }

  @Test
  void shouldRebuildReplicasWithoutLosingAWrite() throws InterruptedException {
    // Given
    var volumes = new Volumes(shop);
    var before = volumes.claims().stream().map(it -> it.getMetadata().getUid()).toList();
    writer.start();
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      // When
      new AppOperation(shop, "rebuild-1", "Rebuild")
          .apply(", target: {component: redis-nodes, pods: [%s, %s]}".formatted(name(1), name(2)))
          .ends("Succeeded");
      // Then
      assertThat(diary.mostDownAtOnce()).isEqualTo(1);
    }
    assertThat(group.primary()).isEqualTo(name(0));
    assertThat(volumes.claims())
        .filteredOn(it -> before.contains(it.getMetadata().getUid()))
        .singleElement()
        .satisfies(it -> assertThat(it.getMetadata().getName()).isEqualTo("data-" + name(0)));
    var acknowledged = group.assertThatNothingIsLost("rebuild of 2 replicas").acknowledged();
    // and each replica has all data
    await("all have all")
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(writer.sizes())
                    .hasSize(3)
                    .allMatch(size -> size >= acknowledged)
                    .hasSameElementsAs(List.of(writer.sizes().getFirst())));
  }

  private static String name(int number) {
    return "cache-redis-nodes-main-" + number;
  }
}
