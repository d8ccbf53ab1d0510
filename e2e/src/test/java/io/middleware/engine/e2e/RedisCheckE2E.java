package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.CheckResult;
import io.middleware.engine.api.TaskStatus;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks of real Redis servers. */
@EndToEnd
@Disruptive("freezes a process")
class RedisCheckE2E {
  private static final String STEADY =
      """
          checks:
          - name: in-sync
            changeTypes: [VersionUpgrade]
            within: 5s
            for: 30s
            allOf: [{agent: {ask: lag, role: Replica, cel: int(answer) < 1048576}}]
          groups:
      """;

  private final Shop shop;
  private final DeployedRedisGroup group;

  RedisCheckE2E(Shop shop) {
    this.shop = shop;
    this.group = new DeployedRedisGroup(shop, "main");
  }

  @BeforeEach
  void assumeReal() {
    DeployedRedisGroup.assumeReal();
  }

  @AfterEach
  void close() {
    group.close();
  }

  @Test
  void shouldFindTheReplicasInSyncAfterAnUpgrade() {
    // Given
    group.deploy(app());
    // When
    shop.apply(upgraded(app()));
    // Then
    assertThat(results(shop.awaitReady("cache").getStatus().tasks()))
        .extracting(CheckResult::name, CheckResult::group, CheckResult::passed)
        .containsExactly(tuple("in-sync", "main", true));
  }

  @Test
  void shouldFailWhenAReplicaThatWasReadyDoesNotAnswerAnyMore() {
    // Given
    var app = app().replace("    groups:\n", STEADY);
    group.deploy(app);
    var frozen = "";
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      shop.apply(upgraded(app));
      await("all pods made again")
          .atMost(Shop.PATIENCE)
          .until(() -> diary.lines().stream().filter(it -> it.endsWith(" ready")).count() == 3);
      // When
      frozen = DeployedRedisGroup.pid(replica());
      Engine.run(List.of("kill", "-STOP", frozen));
      // Then
      var failed = shop.awaitApp("cache", it -> "Failed".equals(it.getStatus().change().outcome()));
      assertThat(failed.getStatus().tasks())
          .extracting(task -> task.error().reason())
          .containsExactly("CheckFailed");
      assertThat(failed.getStatus().tasks().getFirst().error().message())
          .startsWith("check in-sync of redis-nodes/main did not hold within 5 s: not known: ");
    } finally {
      if (!frozen.isEmpty()) {
        Engine.run(List.of("kill", "-CONT", frozen));
      }
    }
  }

  private Pod replica() {
    var primary = group.primary();
    return group.pods().stream()
        .filter(pod -> !pod.getMetadata().getName().equals(primary))
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
