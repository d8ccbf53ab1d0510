package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.Labels;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real Sentinels beside a real replication group, written to all the time. */
@EndToEnd
class SentinelE2E {
  private static final String PORT = "26379";
  private static final String GROUP = "cache-redis-nodes-main";
  private static final Duration AGREEMENT = Duration.ofSeconds(40);
  private static final Duration FAILOVER = Duration.ofSeconds(60);

  private final Shop shop;
  private final DeployedRedisGroup group;

  SentinelE2E(Shop shop) {
    this.shop = shop;
    this.group = new DeployedRedisGroup(shop, "main");
  }

  @BeforeEach
  void deploy() throws InterruptedException {
    DeployedRedisGroup.assumeReal();
    group.deploy(app());
    awaitAgreement();
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
    var pid = DeployedRedisGroup.pid(pod(first));
    Engine.run(List.of("kill", "-STOP", pid));
    try {
      // When
      await("another primary").atMost(FAILOVER).until(() -> !first.equals(watchedBy(0)));
    } finally {
      Engine.run(List.of("kill", "-CONT", pid));
    }
    // Then
    awaitAgreement();
    assertThat(group.primary()).isNotEqualTo(first);
    await("all Ready").atMost(FAILOVER).until(() -> notReady().isEmpty());
    // and switchovers after a failover are reported as well
    shop.apply(app().replace("version: \"7.0\"", "version: \"7.2\""));
    shop.awaitReady("cache");
    awaitAgreement();
    group.assertThatNothingIsLost("failover by Sentinel, then an upgrade");
  }

  @Test
  void shouldChangeTheQuorumWithoutARestartAndForgetASentinelThatIsRemoved()
      throws InterruptedException {
    // Given
    shop.apply(app().replace("{name: all, replicas: 3}", "{name: all, replicas: 5}"));
    shop.awaitReady("cache");
    await("5 Sentinels").atMost(AGREEMENT).until(() -> sentinel(0, "ckquorum").contains("OK 5 "));
    var audit = AuditLog.fromNow();
    // When
    shop.apply(app().replace("values: {monitor:", "values: {quorum: 3, monitor:"));
    shop.awaitReady("cache");
    // Then
    assertThat(audit.restarts(shop.namespace))
        .doesNotContain("cache-sentinel-all-0", "cache-sentinel-all-1", "cache-sentinel-all-2");
    awaitAgreement();
    for (var number : List.of(0, 1, 2)) {
      assertThat(sentinel(number, "master")).containsSubsequence("quorum", "3");
    }
    group.assertThatNothingIsLost("scale of the Sentinels 3, 5, 3");
  }

  /** All three watch the current primary, and know each other and nobody else. */
  private void awaitAgreement() {
    await("Sentinels that agree")
        .atMost(AGREEMENT)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              for (var number : List.of(0, 1, 2)) {
                assertThat(watchedBy(number)).isEqualTo(group.primary());
                assertThat(sentinel(number, "ckquorum")).startsWith("OK 3 usable Sentinels");
                assertThat(sentinel(number, "master"))
                    .contains("num-slaves\n2\n", "num-other-sentinels\n2\n");
              }
            });
  }

  private String watchedBy(int number) {
    var host = sentinel(number, "get-master-addr-by-name").lines().findFirst().orElseThrow();
    return group.pods().stream()
        .filter(pod -> host.equals(pod.getStatus().getPodIP()))
        .map(pod -> pod.getMetadata().getName())
        .findFirst()
        .orElse(host);
  }

  private String sentinel(int number, String question) {
    var ip = pod("cache-sentinel-all-" + number).getStatus().getPodIP();
    return Engine.run(List.of("redis-cli", "-h", ip, "-p", PORT, "sentinel", question, GROUP));
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

  private Pod pod(String name) {
    return shop.client.pods().inNamespace(shop.namespace).withName(name).require();
  }

  private Yaml app() {
    return shop.file("plugins/redis/app-sentinel.yaml");
  }
}
