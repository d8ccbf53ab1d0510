package io.middleware.engine.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.api.check.CheckResult;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks of real Redis servers. */
@EndToEnd
@InTurn(0)
class RedisCheckE2E {
  private static final String STEADY =
      """
          checks:
          - name: in-sync
            changeTypes: [VersionUpgrade]
            within: 20s
            for: 30s
            allOf: [{agent: {ask: lag, role: Replica, cel: int(answer) < 1048576}}]
          groups:
      """;

  /** A frozen process takes all the time that it is given to end. */
  private static final Duration GRACE_AND_PATIENCE = Shop.PATIENCE.plusSeconds(60);

  private final Shop shop;
  private final DeployedRedisGroup first;
  private final DeployedRedisGroup second;

  RedisCheckE2E(Shop shop) {
    this.shop = shop;
    this.first = new DeployedRedisGroup(shop, "shard-0");
    this.second = new DeployedRedisGroup(shop, "shard-1");
  }

  @BeforeEach
  void assumeReal() {
    DeployedRedisGroup.assumeReal();
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
  }

  @Test
  void shouldFindTheReplicasInSyncAfterAnUpgrade() {
    // Given
    try (var main = new DeployedRedisGroup(shop, "main")) {
      main.deploy(app());
    }
    // When
    shop.apply(upgraded(app()));
    // Then
    assertThat(results(shop.awaitReady("cache").getStatus().tasks()))
        .extracting(CheckResult::name, CheckResult::group, CheckResult::passed)
        .containsExactly(tuple("in-sync", "main", true));
  }

  @Test
  void shouldStopAfterAGroupWhoseReplicaDoesNotAnswerAnyMoreAndRollItBack()
      throws InterruptedException {
    // Given
    var app = shop.file("plugins/redis/app-sharded.yaml").replace("    groups:\n", STEADY);
    first.deploy(app);
    var untouched = uids(second);
    first.writer.start();
    var frozen = "";
    try {
      shop.apply(upgraded(app).plus("  change: {onFailure: Rollback}\n"));
      await("the check of the group").atMost(Shop.PATIENCE).until(this::isChecked);
      // When
      frozen = DeployedRedisGroup.pid(first.replica());
      Engine.run(List.of("kill", "-STOP", frozen));
      // Then
      await("rolled back")
          .atMost(GRACE_AND_PATIENCE)
          .until(() -> "Failed".equals(shop.status("cache").change().outcome()));
      var error = shop.status("cache").tasks().getLast().error();
      assertThat(error.reason()).isEqualTo("CheckFailed");
      assertThat(error.message())
          .startsWith("check in-sync of redis-nodes/shard-0 did not hold within 20 s: not known: ")
          .endsWith("; rolled back");
    } finally {
      Engine.run(List.of("sh", "-c", "kill -CONT %s 2>/dev/null || true".formatted(frozen)));
    }
    assertThat(first.pods()).extracting(RedisCheckE2E::image).containsOnly("redis:7.0");
    assertThat(uids(second)).isEqualTo(untouched);
    first.assertThatNothingIsLost("a replica that does not answer, rolled back");
  }

  /** All its pods are ready by then; the check takes 30 s. */
  private boolean isChecked() {
    return String.valueOf(shop.status("cache").change().progress())
        .contains("group shard-0 of component redis-nodes: check in-sync: ");
  }

  private static List<String> uids(DeployedRedisGroup group) {
    return group.pods().stream().map(pod -> pod.getMetadata().getUid()).sorted().toList();
  }

  private static String image(Pod pod) {
    return pod.getSpec().getContainers().stream()
        .filter(container -> container.getName().equals("redis"))
        .map(container -> container.getImage().replaceFirst(".*/", ""))
        .findFirst()
        .orElseThrow();
  }

  private static List<CheckResult> results(List<TaskStatus> tasks) {
    return tasks.stream().flatMap(task -> task.checks().stream()).toList();
  }

  private Yaml app() {
    return shop.file("plugins/redis/app-replication.yaml");
  }

  private static Yaml upgraded(Yaml app) {
    return app.replace("version: \"7.0\"", "version: \"7.2\"");
  }
}
