package io.middleware.engine.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import io.middleware.engine.proof.Proves;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two shards with Sentinels take the whole way of versions while both are written to. */
@Proves(
    plugin = "redis",
    versions = {"redis 7.0", "valkey 9.0", "valkey 9.1"},
    what =
        "Two shards with Sentinels go from Redis 7.0 to Valkey 9.0, 9.1 and back to 9.0, the primary last each time, and lose no confirmed write. Back to Redis is refused.")
@EndToEnd
@InTurn(0)
class ShardedUpgradeE2E {
  private final Shop shop;
  private List<DeployedRedisGroup> shards = List.of();

  ShardedUpgradeE2E(Shop shop) {
    this.shop = shop;
  }

  @BeforeEach
  void deploy() {
    DeployedRedisGroup.assumeReal();
    shop.applyPlugin(shop.file("plugins/redis/plugin.yaml"));
    shop.apply(app("redis", "7.0"));
    shop.awaitReady("cache");
  }

  @AfterEach
  void close() {
    shards.forEach(DeployedRedisGroup::close);
  }

  @Test
  void shouldTakeEachStepWithoutLosingAWriteAndRefuseTheWayBackToRedis()
      throws InterruptedException {
    upgrade("9.0");
    upgrade("9.1");
    upgrade("9.0");
    // When
    shop.apply(app("redis", "7.0"));
    // Then
    var refused = shop.awaitApp("cache", app -> "Rejected".equals(app.getStatus().phase()));
    assertThat(Shop.condition(refused, "Accepted"))
        .hasValueSatisfying(
            it -> assertThat(it.getMessage()).contains("cannot go back to redis 7.0"));
    assertThat(shards).allSatisfy(shard -> assertThat(shard.pods()).hasSize(3));
  }

  private void upgrade(String version) throws InterruptedException {
    // Given
    shards.forEach(DeployedRedisGroup::close);
    shards =
        List.of(new DeployedRedisGroup(shop, "shard-0"), new DeployedRedisGroup(shop, "shard-1"));
    var primaries = shards.stream().map(DeployedRedisGroup::primary).toList();
    var audit = AuditLog.fromNow();
    for (var shard : shards) {
      shard.writer.start();
    }
    // When
    shop.apply(app("valkey", version));
    shop.awaitReady("cache");
    // Then
    for (var primary : primaries) {
      var shard = primary.substring(0, primary.lastIndexOf('-'));
      assertThat(audit.restarts(shop.namespace))
          .filteredOn(pod -> pod.startsWith(shard))
          .hasSize(3)
          .doesNotHaveDuplicates()
          .endsWith(primary);
    }
    for (var shard : shards) {
      shard.assertThatNothingIsLost("a shard to Valkey " + version);
    }
  }

  private Yaml app(String runtime, String version) {
    return shop.file("plugins/redis/app-sharded.yaml")
        .replace(
            "{name: redis, version: \"7.0\"}",
            "{name: %s, version: \"%s\"}".formatted(runtime, version));
  }
}
