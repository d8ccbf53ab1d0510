package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.testing.IntegrationTestStatus;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Rounds of an upgrade and the way back on real Redis servers, which are written to all the time.
 * {@code -Drounds=20} for more rounds than the default.
 */
@EndToEnd
@Measured
class UpgradePathE2E {
  private static final int ROUNDS = Integer.getInteger("rounds", 3);
  private static final Duration LONGEST_ROUND = Duration.ofMinutes(4);

  private static final String IN_SYNC =
      "{name: whole, for: 2s, allOf: [{cel: \"object('App', 'cache').status.ready == '3/3'\"}]}";

  private final Shop shop;
  private final DeployedRedisGroup group;

  UpgradePathE2E(Shop shop) {
    this.shop = shop;
    this.group = new DeployedRedisGroup(shop, "main");
  }

  @BeforeEach
  void deploy() {
    DeployedRedisGroup.assumeReal();
    shop.applyPlugin(plugin());
    group.deploy(app("7.0"));
    shop.apply(shop.file("k8s/samples/tester.yaml"));
  }

  @AfterEach
  void close() {
    group.close();
  }

  @Test
  void shouldLoseNoWriteInAnyRound() throws InterruptedException {
    // Given
    var run = new IntegrationRun(shop, "upgrade-path");
    group.writer.start();
    // When
    run.apply(
        run.yaml(
                IntegrationRun.step("up", app("7.2"), IN_SYNC)
                    + IntegrationRun.step("down", app("7.0"), IN_SYNC))
            .plus("  repeat: {count: %d}\n".formatted(ROUNDS)));
    // Then
    var status = run.ends(IntegrationTestStatus.PASSED, LONGEST_ROUND.multipliedBy(ROUNDS));
    assertThat(status.passed()).isEqualTo(ROUNDS);
    group.assertThatNothingIsLost("%d rounds of 7.0, 7.2 and back".formatted(ROUNDS));
    assertThat(shop.app("cache")).as("it was there before").isNotNull();
  }

  private Yaml app(String version) {
    return new Yaml(
        """
        apiVersion: middleware.io/v1
        kind: App
        metadata: {name: cache, namespace: %s}
        spec:
          plugin: {name: redis, version: 2.0.8}
          runtime: {name: redis, version: "%s"}
          components:
          - name: redis-nodes
            type: redis
            groups:
            - {name: main, replicas: 3, storage: {size: 1Gi}, resources: {requests: {cpu: 100m, memory: 128Mi}}}
        """
            .formatted(shop.namespace, version));
  }

  /** It leads back as well. */
  private Yaml plugin() {
    return shop.file("plugins/redis/plugin.yaml")
        .replace("redis-v2.0.0", "redis-v2.0.8")
        .replace("version: 2.0.0", "version: 2.0.8")
        .replace("- version: \"7.0\"\n", "- version: \"7.0\"\n      upgradesFrom: [\"7.2\"]\n");
  }
}
