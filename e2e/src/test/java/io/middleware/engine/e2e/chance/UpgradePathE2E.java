package io.middleware.engine.e2e.chance;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.api.testing.LoadTestStatus;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.PodDiary;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Trials;
import io.middleware.engine.e2e.Yaml;
import io.middleware.engine.e2e.redis.DeployedRedisGroup;
import io.middleware.engine.e2e.redis.RedisContent;
import io.middleware.engine.e2e.testing.IntegrationRun;
import io.middleware.engine.proof.Proves;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Rounds of an upgrade and the way back on real Valkey servers of both versions, which are written
 * to all the time, beside the load of {@code redis-benchmark}. {@code -Drounds=20} for more rounds
 * than the default.
 */
@Proves(
    plugin = "redis",
    versions = {"valkey 9.0", "valkey 9.1"},
    what = "Rounds from 9.0 to 9.1 and back under load lose no confirmed write.")
@EndToEnd
@Order(1)
@InTurn(3)
class UpgradePathE2E {
  private static final int ROUNDS = Integer.getInteger("rounds", Trials.of(3, 20));
  private static final int FAULTY_ROUND = Trials.of(2, 7);
  private static final int ALL_ROUNDS = 20;
  private static final Duration LONGEST_ROUND = Shop.PATIENCE.multipliedBy(2);

  private static final String IN_SYNC =
      "{name: whole, for: 2s, allOf: [{cel: \"object('App', 'cache').status.ready == '3/3'\"}]}";

  private static final String STAYS_IN_SYNC = IN_SYNC.replace("for: 2s", "within: 15s, for: 25s");

  private final Shop shop;

  private final DeployedRedisGroup group;

  UpgradePathE2E(Shop shop) {
    this.shop = shop;
    this.group = new DeployedRedisGroup(shop, "main");
  }

  @BeforeEach
  void deploy() {
    DeployedRedisGroup.assumeReal();
    group.deploy(app("9.0"));
    shop.apply(shop.file("k8s/samples/tester.yaml"));
    shop.apply(load());
  }

  @AfterEach
  void close() {
    group.close();
  }

  @Test
  void shouldLoseNoWriteInAnyRound() throws InterruptedException {
    // Given
    var run = new IntegrationRun(shop, "upgrade-path");
    var primary = group.primary();
    var audit = AuditLog.fromNow();
    group.writer.start();
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      // When
      run.apply(upAndDown(run, IN_SYNC, ROUNDS));
      // Then
      var status = run.ends(IntegrationTestStatus.PASSED, LONGEST_ROUND.multipliedBy(ROUNDS));
      assertThat(status.passed()).isEqualTo(ROUNDS);
      assertThat(diary.mostDownAtOnce()).isEqualTo(1);
    }
    var restarts = ofNodes(audit);
    assertThat(restarts).hasSize(ROUNDS * 6);
    assertThat(restarts.subList(0, 3)).doesNotHaveDuplicates().endsWith(primary);
    group.assertThatNothingIsLost("%d rounds of Valkey 9.0, 9.1 and back".formatted(ROUNDS));
    assertThat(shop.app("cache")).as("it was there before").isNotNull();
    var load =
        shop.client.resources(LoadTest.class).inNamespace(shop.namespace).withName("upgrade-load");
    assertThat(load.get().getStatus().phase()).isEqualTo(LoadTestStatus.SUSPENDED);
    assertThat(RedisContent.read(group.primaryAddress()))
        .as("what redis-benchmark writes")
        .containsKey("key:__rand_int__");
  }

  @Test
  void shouldStopAtTheFirstFaultyRound() throws InterruptedException {
    // Given
    var run = new IntegrationRun(shop, "upgrade-path");
    group.writer.start();
    run.apply(upAndDown(run, STAYS_IN_SYNC, ALL_ROUNDS));
    run.awaits(
        LONGEST_ROUND.multipliedBy(FAULTY_ROUND),
        status ->
            Integer.valueOf(FAULTY_ROUND).equals(status.round())
                && IntegrationRun.phaseOf(status, "up").filter("Checking"::equals).isPresent());
    // When
    var frozen = DeployedRedisGroup.pid(group.replica());
    Engine.run(List.of("kill", "-STOP", frozen));
    try {
      // Then
      var status = run.ends(IntegrationTestStatus.FAILED);
      assertThat(status.reason()).isEqualTo("CheckFailed");
      assertThat(status.message())
          .startsWith(
              "round %d, step up: check whole did not hold within 15s for 25s: "
                  .formatted(FAULTY_ROUND))
          .contains("status.ready = 2/3, expected ", "ContainersNotReady");
      assertThat(status.passed()).isEqualTo(FAULTY_ROUND - 1);
      assertThat(status.failed()).isEqualTo(1);
    } finally {
      Engine.run(List.of("kill", "-CONT", frozen));
    }
    group.assertThatNothingIsLost("a fault in round %d".formatted(FAULTY_ROUND));
  }

  private Yaml upAndDown(IntegrationRun run, String check, int rounds) {
    return run.yaml(
            IntegrationRun.step("up", app("9.1"), check)
                    .replace("  timeout: 5m\n", "  timeout: 5m\n  loadTest: upgrade-load\n")
                + IntegrationRun.step("down", app("9.0"), check))
        .plus("  repeat: {count: %d}\n".formatted(rounds));
  }

  /** The sample's, on an App that was there before. */
  private Yaml load() {
    return shop.file("k8s/samples/upgrade-under-load.yaml")
        .replaceFirst("(?s)---\n.*", "")
        .replace("name: tested}", "name: cache}");
  }

  private List<String> ofNodes(AuditLog audit) {
    return audit.restarts(shop.namespace).stream()
        .filter(pod -> pod.contains("redis-nodes"))
        .toList();
  }

  private Yaml app(String version) {
    return new Yaml(
        """
        apiVersion: middleware.io/v1
        kind: App
        metadata: {name: cache, namespace: %s}
        spec:
          plugin: {name: redis, version: 2.0.0}
          runtime: {name: valkey, version: "%s"}
          components:
          - name: redis-nodes
            type: redis
            groups:
            - {name: main, replicas: 3, storage: {size: 1Gi}, resources: {requests: {cpu: 100m, memory: 128Mi}}}
        """
            .formatted(shop.namespace, version));
  }
}
