package io.middleware.engine.e2e.chance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.operation.SwitchoverStatus;
import io.middleware.engine.e2e.AppOperation;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.Disruptive;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.PodDiary;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Trials;
import io.middleware.engine.e2e.Yaml;
import io.middleware.engine.e2e.redis.DeployedRedisGroup;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Worker, watcher and agents are killed at random moments while two groups of three real Redis
 * servers are changed, or under an Operation, and written to. {@code -Dkills=100} for more kills
 * than the default; {@code -Dseed=} the number that is printed makes the same choices again.
 */
@EndToEnd
@Disruptive("kills worker, watcher and agents")
@InTurn(1)
class KillE2E {
  private static final int KILLS = Integer.getInteger("kills", Trials.of(2, 20));
  private static final long SEED = Long.getLong("seed", System.currentTimeMillis());

  private static final int KILLS_OF_ONE_UPGRADE = 4;
  private static final int LONGEST_PAUSE_MILLIS = 3000;
  private static final int LONGEST_PAUSE_OF_A_SWITCHOVER_MILLIS = 500;
  private static final List<String> VICTIMS =
      List.of("worker", "watcher", "simulator"); // in which all agents are

  private final Random random = new Random(SEED);
  private int killed;
  private final Shop shop;
  private final List<DeployedRedisGroup> groups;

  KillE2E(Shop shop) {
    this.shop = shop;
    this.groups =
        Stream.of("shard-0", "shard-1").map(name -> new DeployedRedisGroup(shop, name)).toList();
  }

  @BeforeEach
  void deploy() {
    DeployedRedisGroup.assumeReal();
    shop.applyPlugin(plugin());
    shop.apply(app("7.0"));
    shop.awaitReady("cache");
  }

  @AfterEach
  void close() {
    groups.forEach(DeployedRedisGroup::close);
  }

  @Test
  void shouldEndEachUpgradeAsIfNothingHadBeenKilled() throws InterruptedException {
    // Given
    System.out.printf("%d kills, -Dseed=%d%n", KILLS, SEED);
    for (var group : groups) {
      group.writer.start();
    }
    // When
    for (var upgrades = 0; killed < KILLS; upgrades++) {
      upgrade(upgrades % 2 == 0 ? "7.2" : "7.0");
    }
    // Then
    for (var group : groups) {
      group.assertThatNothingIsLost("kills");
    }
  }

  @Test
  void shouldEndEachRestartAsIfNothingHadBeenKilled() throws InterruptedException {
    // Given
    System.out.printf("%d kills, -Dseed=%d%n", KILLS, SEED);
    for (var group : groups) {
      group.writer.start();
    }
    // When
    for (var restarts = 0; killed < KILLS; restarts++) {
      var restart = AppOperation.restart(shop, "restart-" + restarts);
      carryOut(() -> restart.apply(), () -> restart.now().hasEnded());
      assertThat(restart.ends("Succeeded").done()).isEqualTo("1/1");
    }
    // Then
    for (var group : groups) {
      group.assertThatNothingIsLost("kills during restarts");
    }
  }

  @Test
  void shouldHandEachPrimaryOverOnceWhateverIsKilled() throws InterruptedException {
    // Given
    System.out.printf("%d kills, -Dseed=%d%n", KILLS, SEED);
    for (var group : groups) {
      group.writer.start();
    }
    for (var switchovers = 0; killed < KILLS; switchovers++) {
      var before = groups.stream().map(DeployedRedisGroup::primary).toList();
      var switchover = new AppOperation(shop, "switchover-" + switchovers, "Switchover");
      // When
      switchover.apply(", target: {component: redis-nodes}");
      killAtRandom(() -> switchover.now().hasEnded(), LONGEST_PAUSE_OF_A_SWITCHOVER_MILLIS);
      // Then
      var moved = switchover.ends("Succeeded").switchovers();
      var after = groups.stream().map(DeployedRedisGroup::primary).toList();
      assertThat(moved).extracting(SwitchoverStatus::from).hasSameElementsAs(before);
      assertThat(moved).extracting(SwitchoverStatus::to).hasSameElementsAs(after);
      assertThat(after).doesNotContainAnyElementsOf(before);
    }
    for (var group : groups) {
      group.assertThatNothingIsLost("kills during switchovers");
    }
  }

  @Test
  void shouldRebuildEachReplicaOnceWhateverIsKilled() throws InterruptedException {
    // Given
    System.out.printf("%d kills, -Dseed=%d%n", KILLS, SEED);
    for (var group : groups) {
      group.writer.start();
    }
    var pods = List.of("cache-redis-nodes-shard-0-1", "cache-redis-nodes-shard-0-2");
    for (var rebuilds = 0; killed < KILLS; rebuilds++) {
      var audit = AuditLog.fromNow();
      var rebuild = new AppOperation(shop, "rebuild-" + rebuilds, "Rebuild");
      // When
      rebuild.apply(
          ", target: {component: redis-nodes, pods: [%s]}".formatted(String.join(", ", pods)));
      killAtRandom(() -> rebuild.now().hasEnded(), LONGEST_PAUSE_MILLIS);
      // Then
      rebuild.ends("Succeeded");
      shop.awaitReady("cache");
      assertThat(audit.restarts(shop.namespace)).containsExactlyElementsOf(pods);
    }
    for (var group : groups) {
      group.assertThatNothingIsLost("kills during rebuilds");
    }
  }

  private void upgrade(String version) throws InterruptedException {
    carryOut(() -> shop.apply(app(version)), this::isOver);
    assertThat(shop.pods("cache"))
        .hasSize(6)
        .allMatch(
            pod -> pod.getSpec().getContainers().getFirst().getImage().endsWith(":" + version));
  }

  /** Every pod is restarted once, one at a time, and the primary of each group last. */
  private void carryOut(Runnable request, BooleanSupplier isOver) throws InterruptedException {
    // Given
    var order = groups.stream().map(DeployedRedisGroup::primary).toList();
    var audit = AuditLog.fromNow();
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      // When
      request.run();
      killAtRandom(isOver, LONGEST_PAUSE_MILLIS);
      await("the end").atMost(Shop.PATIENCE).until(isOver::getAsBoolean);
      shop.awaitReady("cache");
      // Then
      var restarts = audit.restarts(shop.namespace);
      System.out.println("restarted: " + restarts);
      assertThat(restarts).hasSize(6).doesNotHaveDuplicates();
      assertThat(restarts.subList(0, 3)).allMatch(isOf("shard-0")).endsWith(order.getFirst());
      assertThat(restarts.subList(3, 6)).allMatch(isOf("shard-1")).endsWith(order.getLast());
      assertThat(diary.mostDownAtOnce()).isEqualTo(1);
    }
  }

  private void killAtRandom(BooleanSupplier isOver, int longestPauseMillis)
      throws InterruptedException {
    var until = Math.min(killed + KILLS_OF_ONE_UPGRADE, KILLS);
    while (killed < until) {
      Thread.sleep(random.nextInt(longestPauseMillis));
      var victim = VICTIMS.get(random.nextInt(VICTIMS.size()));
      if (isOver.getAsBoolean()) {
        return;
      }
      Engine.kill(victim);
      killed++;
      System.out.printf("kill %d: %s%n", killed, victim);
    }
  }

  private boolean isOver() {
    var app = shop.app("cache");
    var change = app.getStatus().change();
    return app.getMetadata().getGeneration().equals(change.generation())
        && change.outcome() != null;
  }

  private static Predicate<String> isOf(String group) {
    return pod -> pod.startsWith("cache-redis-nodes-" + group + "-");
  }

  private Yaml app(String version) {
    return new Yaml(
        """
        apiVersion: middleware.io/v1
        kind: App
        metadata: {name: cache, namespace: %s}
        spec:
          plugin: {name: redis, version: 2.0.1}
          runtime: {name: redis, version: "%s"}
          components:
          - name: redis-nodes
            type: redis
            groups:
            - {name: shard-0, replicas: 3, storage: {size: 1Gi}, resources: {requests: {cpu: 100m, memory: 128Mi}}}
            - {name: shard-1, replicas: 3, storage: {size: 1Gi}, resources: {requests: {cpu: 100m, memory: 128Mi}}}
        """
            .formatted(shop.namespace, version));
  }

  /** It leads back as well, so that one App can be upgraded again and again. */
  private Yaml plugin() {
    return shop.file("plugins/redis/plugin.yaml")
        .replace("redis-v2.0.0", "redis-v2.0.1")
        .replace("version: 2.0.0", "version: 2.0.1")
        .replace("- version: \"7.0\"\n", "- version: \"7.0\"\n      upgradesFrom: [\"7.2\"]\n");
  }
}
