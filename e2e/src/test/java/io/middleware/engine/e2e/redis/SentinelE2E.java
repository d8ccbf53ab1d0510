package io.middleware.engine.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.Labels;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import io.middleware.engine.proof.Proves;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real Sentinels beside a real replication group, written to all the time. */
@Proves(
    plugin = "redis",
    versions = "redis 7.0",
    what =
        "Sentinels fail over from a primary that hangs, and monitor the right one after a change.")
@EndToEnd
class SentinelE2E {

  private final Shop shop;
  private final DeployedRedisGroup group;
  private final Sentinels sentinels;

  SentinelE2E(Shop shop) {
    this.shop = shop;
    this.group = new DeployedRedisGroup(shop, "main");
    this.sentinels = new Sentinels(group);
  }

  @BeforeEach
  void deploy() throws InterruptedException {
    DeployedRedisGroup.assumeReal();
    group.deploy(app());
    sentinels.awaitAgreement();
    group.writer.start();
  }

  @AfterEach
  void close() {
    group.close();
  }

  @Test
  void shouldFailOverWhenAPrimaryIsDeafAndUpgradeThen() throws InterruptedException {
    // Given a primary that is alive but does not answer, so that the agents wait
    var first = group.primary();
    var pid = DeployedRedisGroup.pid(group.pod(first));
    Engine.run(List.of("kill", "-STOP", pid));
    try {
      // When
      await("another primary")
          .ignoreExceptions()
          .until(() -> !first.equals(sentinels.watchedBy(0)));
    } finally {
      Engine.run(List.of("kill", "-CONT", pid));
    }
    // Then
    sentinels.awaitAgreement();
    assertThat(group.primary()).isNotEqualTo(first);
    await("all Ready").until(() -> notReady().isEmpty());
    // and switchovers after a failover are reported as well
    shop.apply(app().replace("version: \"7.0\"", "version: \"7.2\""));
    shop.awaitReady("cache");
    sentinels.awaitAgreement();
    group.assertThatNothingIsLost("failover by Sentinel, then an upgrade");
  }

  @Test
  void shouldChangeTheQuorumWithoutARestartAndForgetASentinelThatIsRemoved()
      throws InterruptedException {
    // Given
    shop.apply(app().replace("{name: all, replicas: 3}", "{name: all, replicas: 5}"));
    shop.awaitReady("cache");
    await("5 Sentinels").until(() -> sentinels.ask(0, "ckquorum").contains("OK 5 "));
    var audit = AuditLog.fromNow();
    // When
    shop.apply(app().replace("- name: sentinel\n", "- name: sentinel\n    values: {quorum: 3}\n"));
    shop.awaitReady("cache");
    // Then
    assertThat(audit.restarts(shop.namespace))
        .doesNotContain("cache-sentinel-all-0", "cache-sentinel-all-1", "cache-sentinel-all-2");
    sentinels.awaitAgreement();
    for (var number : List.of(0, 1, 2)) {
      assertThat(sentinels.ask(number, "master")).containsSubsequence("quorum", "3");
    }
    group.assertThatNothingIsLost("scale of the Sentinels 3, 5, 3");
  }

  private List<String> notReady() {
    return shop.pods("cache").stream()
        .filter(
            pod ->
                pod.getStatus().getConditions().stream()
                    .noneMatch(
                        one -> one.getType().equals("Ready") && one.getStatus().equals("True")))
        .map(pod -> pod.getMetadata().getLabels().get(Labels.GROUP))
        .toList();
  }

  private Yaml app() {
    return shop.file("plugins/redis/app-sentinel.yaml");
  }
}
