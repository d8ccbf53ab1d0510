package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Operations on real Redis servers that are written to all the time. */
@EndToEnd
@Isolated("measures gaps")
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
  void shouldSwitchOverToTheNamedReplicaWithinASecondWithoutLosingAWrite()
      throws InterruptedException {
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
    assertThat(group.assertThatNothingIsLost("4 switchovers").longestGap())
        .isLessThanOrEqualTo(Duration.ofSeconds(1));
  }

  private static String name(int number) {
    return "cache-redis-nodes-main-" + number;
  }
}
