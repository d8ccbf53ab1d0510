package io.middleware.engine.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.e2e.AppOperation;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Trials;
import io.middleware.engine.e2e.Yaml;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A client that knows only the name of a Service, while its primary fails again and again: the
 * Service never leads to two pods, and what a replica has confirmed is not lost. How long the
 * Service takes to follow is printed.
 */
@EndToEnd
@InTurn(1)
class FollowedPrimaryE2E {
  private static final int FAILOVERS = Trials.of(Integer.getInteger("failovers", 5), 100);
  private static final String SERVICE = "cache-redis-nodes-main-rw";

  private static final List<Failover> KINDS =
      List.of(Failover.KILL, Failover.SWITCHOVER, Failover.FREEZE);

  private final Shop shop;
  private final DeployedRedisGroup group;
  private final Sentinels sentinels;
  private final Map<Failover, TreeMap<Long, Integer>> delays = new EnumMap<>(Failover.class);

  private enum Failover {
    /** kill -9 */
    KILL,
    /** kill -STOP until there is another primary */
    FREEZE,
    /** by an Operation */
    SWITCHOVER,
    /** by a command to a Sentinel */
    SENTINEL
  }

  FollowedPrimaryE2E(Shop shop) {
    this.shop = shop;
    this.group = new DeployedRedisGroup(shop, "main");
    this.sentinels = new Sentinels(group);
  }

  @Test
  void shouldLeadToThePrimaryAfterEachFailoverAndLoseNothing() throws InterruptedException {
    // When
    var outcome = writeWhile(KINDS, FAILOVERS);
    // Then
    assertThat(outcome.lost()).isEmpty();
  }

  /**
   * Until a Sentinel has made the other replica follow as well, that one confirms what the old
   * primary accepts, and it is lost: no server of Redis can know better.
   */
  @Test
  void shouldFollowAFailoverThatAPersonAsksASentinelFor() throws InterruptedException {
    // When
    var outcome = writeWhile(List.of(Failover.SENTINEL), Math.ceilDiv(FAILOVERS, KINDS.size()));
    // Then
    System.out.printf("%d confirmed writes lost%n", outcome.lost().size());
  }

  private RedisWriter.Outcome writeWhile(List<Failover> kinds, int failovers)
      throws InterruptedException {
    DeployedRedisGroup.assumeReal();
    group.deploy(app());
    sentinels.awaitAgreement();
    var addresses = group.pods().stream().map(pod -> pod.getStatus().getPodIP()).toList();
    try (var service = new FollowedService(shop, SERVICE);
        var probe = new RoleProbe(addresses);
        var writer = new RedisWriter(service::addresses)) {
      writer.start();
      for (int i = 0; i < failovers; i++) {
        failOver(i, kinds.get(i % kinds.size()), service, probe);
      }
      var outcome = writer.stop();
      System.out.printf(
          "%d writes acknowledged, longest gap %d ms; ms until the Service followed: %s%n",
          outcome.acknowledged(), outcome.longestGap().toMillis(), delays);
      assertThat(service.leads()).allMatch(lead -> lead.addresses().size() <= 1);
      return outcome;
    }
  }

  private void failOver(int number, Failover kind, FollowedService service, RoleProbe probe) {
    var before = awaitPrimary(probe);
    var begun = System.nanoTime();
    fail(kind, "switchover-" + number, before, probe);
    await("the Service leads to the primary, after " + kind)
        .atMost(RealRedis.PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(service.addresses()).containsExactly(primary(probe)));
    sentinels.awaitAgreement();
    await("all are ready")
        .atMost(RealRedis.PATIENCE)
        .until(() -> group.pods().stream().allMatch(RealRedis::isReady));
    var after = awaitPrimary(probe);
    var again = Math.max(begun, probe.primaries().getOrDefault(after, begun));
    var delay = Duration.ofNanos(Math.max(0, service.since(after) - again)).toMillis();
    delays.computeIfAbsent(kind, it -> new TreeMap<>()).merge(delay, 1, Integer::sum);
    System.out.printf("%d %s: %s → %s, %d ms%n", number, kind, before, after, delay);
  }

  private void fail(Failover kind, String operation, String primary, RoleProbe probe) {
    switch (kind) {
      case KILL -> {
        var since = probe.primaries().get(primary);
        Engine.run(List.of("kill", "-KILL", pid(primary)));
        await("the kill is seen") // which may be the primary again by then
            .atMost(RealRedis.PATIENCE)
            .until(() -> !Objects.equals(since, probe.primaries().get(primary)));
      }
      case FREEZE -> freeze(primary, probe);
      case SWITCHOVER ->
          new AppOperation(shop, operation, "Switchover")
              .apply(", target: {component: redis-nodes}")
              .ends("Succeeded");
      case SENTINEL -> {
        sentinels.ask(0, "failover");
        await("another primary")
            .atMost(RealRedis.PATIENCE)
            .until(() -> !sentinels.watchedBy(0).equals(pod(primary)));
      }
    }
  }

  private void freeze(String primary, RoleProbe probe) {
    var pid = pid(primary);
    Engine.run(List.of("kill", "-STOP", pid));
    try {
      await("another primary")
          .atMost(RealRedis.PATIENCE)
          .until(() -> probe.primaries().keySet().stream().anyMatch(it -> !it.equals(primary)));
    } finally {
      Engine.run(List.of("kill", "-CONT", pid));
    }
  }

  /** On a busy machine the probe may have no answer at the moment. */
  private static String awaitPrimary(RoleProbe probe) {
    return await("one primary")
        .atMost(RealRedis.PATIENCE)
        .until(() -> probe.primaries().keySet(), all -> all.size() == 1)
        .iterator()
        .next();
  }

  /** The only one that says so. */
  private static String primary(RoleProbe probe) {
    var all = probe.primaries().keySet();
    assertThat(all).hasSize(1);
    return all.iterator().next();
  }

  private String pid(String address) {
    return DeployedRedisGroup.pid(group.pod(pod(address)));
  }

  private String pod(String address) {
    return group.pods().stream()
        .filter(pod -> address.equals(pod.getStatus().getPodIP()))
        .map(pod -> pod.getMetadata().getName())
        .findFirst()
        .orElseThrow();
  }

  /** Sentinels that are as quick as they may be. */
  private Yaml app() {
    return shop.file("plugins/redis/app-sentinel.yaml")
        .replace(
            "- name: sentinel\n",
            "- name: sentinel\n    values: {down-after-milliseconds: 5000, failover-timeout: 10000}\n");
  }
}
