package io.middleware.engine.e2e.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.App;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.api.check.CheckResult;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Volumes;
import io.middleware.engine.e2e.Yaml;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A version whose pods turn Ready and lag behind: 7.2, of simulated Redis. */
@EndToEnd
class CheckE2E {
  private static final String SHARD_0 = "cache-redis-nodes-shard-0-";
  private static final String FOUND =
      "check in-sync of redis-nodes/shard-0 did not hold within 10 s: " + SHARD_0;
  private static final String CHECK =
      """
        - name: redis
          checks:
          - name: in-sync
            within: 10s
            allOf: [{agent: {ask: lag, role: Replica, cel: int(answer) < 1048576}}]
          - name: whole
            after: Task
            allOf: [{cel: size(nodes) == replicas}]
          parameters:
      """;

  private final Shop shop;
  private Map<String, String> before;
  private AuditLog change;

  CheckE2E(Shop shop) {
    this.shop = shop;
  }

  @BeforeEach
  void open() {
    shop.applyPlugin(plugin());
    shop.apply(app("7.0", ""));
    var checks = task(shop.awaitReady("cache"), "provision").checks();
    assertThat(checks)
        .extracting(CheckResult::name, CheckResult::group, CheckResult::passed)
        .containsExactlyInAnyOrder(
            tuple("in-sync", "shard-0", true),
            tuple("in-sync", "shard-1", true),
            tuple("whole", null, true));
    before = new Volumes(shop).podUids();
    change = AuditLog.fromNow();
  }

  @Test
  void shouldStopAfterTheGroupThatLagsAndRollItBack() {
    // When
    shop.apply(app("7.2", "onFailure: Rollback, "));
    // Then
    var task = task(shop.awaitFailed("cache"), "versionupgrade");
    assertThat(task.error().reason()).isEqualTo("CheckFailed");
    assertThat(task.error().message())
        .startsWith(FOUND)
        .contains("lag = 5242880, expected int(answer) < 1048576")
        .endsWith("; rolled back");
    assertThat(task.attempts()).isEqualTo(1);
    assertThat(task.checks())
        .filteredOn(it -> Boolean.FALSE.equals(it.passed()))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.group()).isEqualTo("shard-0");
              assertThat(it.actual()).contains("lag = 5242880");
              assertThat(it.message()).contains("expected int(answer) < 1048576");
              assertThat(it.checkedAt()).isNotNull();
            });
    await("event")
        .untilAsserted(
            () ->
                assertThat(shop.events("cache", "CheckFailed"))
                    .singleElement()
                    .satisfies(event -> assertThat(event.getMessage()).startsWith(FOUND)));
    assertThat(images()).containsOnly("7.0");
    assertThatTheOtherShardIsUntouched();
  }

  @Test
  void shouldStopAfterTheGroupThatLagsAndLeaveItUntilTheNextEdit() {
    // When
    shop.apply(app("7.2", ""));
    // Then
    assertThat(task(shop.awaitFailed("cache"), "versionupgrade").error().message())
        .startsWith(FOUND)
        .endsWith("; nothing was rolled back");
    assertThat(images()).contains("7.0", "7.2");
    assertThatTheOtherShardIsUntouched();
    // and a check of the App replaces that of the Plugin
    var tolerant = "checks: [{name: in-sync, allOf: [{cel: \"nodes.all(n, n.ready)\"}]}]";
    shop.apply(
        app("7.2", "").replace("    type: redis\n", "    type: redis\n    " + tolerant + "\n"));
    shop.awaitReady("cache");
    assertThat(images()).containsOnly("7.2");
  }

  @Test
  void shouldShowTheChecksOfAPlanAndRefuseOneThatDoesNotCompile() {
    // When
    shop.apply(app("7.2", "approval: Manual, "));
    // Then
    var plan =
        shop.awaitApp("cache", app -> app.getStatus().plan() != null).getStatus().plan().tasks();
    assertThat(plan)
        .filteredOn(task -> task.component().equals("redis-nodes"))
        .flatExtracting(TaskStatus::checks)
        .containsExactly(CheckResult.planned("in-sync"), CheckResult.planned("whole"));
    // and
    var broken = "checks: [{name: broken, allOf: [{cel: \"nods.all(n, n.ready)\"}]}]";
    shop.apply(
        app("7.0", "").replace("    type: redis\n", "    type: redis\n    " + broken + "\n"));
    var refused =
        shop.awaitApp(
            "cache",
            app ->
                Shop.condition(app, "Accepted")
                    .filter(accepted -> accepted.getStatus().equals("False"))
                    .isPresent());
    assertThat(Shop.condition(refused, "Accepted").orElseThrow().getMessage())
        .contains("spec.components[redis-nodes].checks[broken].allOf[0].cel (1:1): undeclared");
    assertThat(change.restarts(shop.namespace)).isEmpty();
  }

  @Test
  void shouldLeaveAPodAloneUntilTheCheckBeforeItHolds() {
    // Given
    answer(11);
    var checks =
        "checks: [{name: in-sync, allOf: [{cel: \"nodes.all(n, n.ready)\"}]}, "
            + "{name: safe, before: Pod, allOf: [{agent: {ask: lag, cel: int(answer) < 10}}]}]";
    // When
    shop.apply(
        app("7.2", "").replace("    type: redis\n", "    type: redis\n    " + checks + "\n"));
    // Then
    shop.awaitApp(
        "cache",
        app ->
            String.valueOf(app.getStatus().change().progress())
                .contains("is not stopped yet: check safe: " + SHARD_0));
    await("event")
        .untilAsserted(
            () ->
                assertThat(shop.events("cache", "StopRefused"))
                    .isNotEmpty()
                    .first()
                    .satisfies(event -> assertThat(event.getMessage()).contains("lag = 11")));
    assertThat(images()).containsOnly("7.0");
    // and
    answer(0);
    shop.awaitReady("cache");
    assertThat(images()).containsOnly("7.2");
  }

  private void answer(int lag) {
    shop.kubectl(
        "",
        "annotate",
        "--overwrite",
        "pods",
        "-l",
        "middleware.io/component=redis-nodes",
        "-n",
        shop.namespace,
        "agent.local.middleware.io/lag=" + lag);
  }

  private void assertThatTheOtherShardIsUntouched() {
    assertThat(ofOtherShard(new Volumes(shop).podUids())).isEqualTo(ofOtherShard(before));
    assertThat(change.restarts(shop.namespace)).noneMatch(pod -> pod.contains("shard-1"));
  }

  private static Map<String, String> ofOtherShard(Map<String, String> pods) {
    var others = new TreeMap<>(pods);
    others.keySet().removeIf(pod -> !pod.contains("shard-1"));
    return others;
  }

  private static TaskStatus task(App app, String type) {
    return app.getStatus().tasks().stream()
        .filter(task -> task.id().endsWith(type + "-redis-nodes"))
        .findFirst()
        .orElseThrow();
  }

  /** The versions of the pods that may lag. */
  private List<String> images() {
    return shop.pods("cache").stream()
        .filter(pod -> pod.getMetadata().getName().startsWith("cache-redis-nodes-"))
        .map(CheckE2E::image)
        .toList();
  }

  private static String image(Pod pod) {
    return pod.getSpec().getContainers().getFirst().getImage().replaceFirst(".*:", "");
  }

  private Yaml app(String version, String settings) {
    return shop.cache()
        .replace("version: 1.0.0", "version: 1.0.11")
        .replace("version: \"7.0\"", "version: \"%s\"".formatted(version))
        .replace("change: {", "change: {" + settings);
  }

  private Yaml plugin() {
    var lag = "${runtime.version == '7.2' ? '5242880' : '0'}";
    return shop.sample("plugin-redis.yaml")
        .replace("redis-v1.0.0", "redis-v1.0.11")
        .replace("version: 1.0.0", "version: 1.0.11")
        .replace("  - name: redis\n    parameters:", CHECK.stripTrailing())
        .replace(
            "ready-after: 500ms}",
            "ready-after: 500ms, agent.local.middleware.io/lag: \"" + lag + "\"}");
  }
}
