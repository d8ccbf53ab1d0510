package io.middleware.engine.e2e.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.api.check.CheckResult;
import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Volumes;
import io.middleware.engine.e2e.Yaml;
import io.middleware.engine.e2e.testing.IntegrationRun;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Checks that ask a webhook and Prometheus, after groups, beside the tasks and after the change.
 */
@EndToEnd
@InTurn(3)
class CheckSourcesE2E {
  private static final String CHECKS =
      """
          checks:
          - name: verified
            within: 20s
            allOf:
            - webhook: {url: "http://%1$s/verify", function: redis, params: {level: strict}}
            - prometheus: {query: "errors{app='$(app)', group='$(group)'}", cel: "result[0] < 1.0"}
            - cel: "object('StatefulSet', app + '-' + component + '-' + group).status.readyReplicas == replicas"
          - {name: serves, during: Change, every: 1s, failureThreshold: 2, allOf: [{webhook: {url: "http://%1$s/verify"}}]}
      """;
  private static final String AFTER_THE_CHANGE =
      """
          checks:
          - {name: whole, after: Change, within: 10s, allOf: [{webhook: {url: "http://%s/verify"}}]}
      """;

  private static final String BY_A_TEST =
      "{name: verified, within: 1m, allOf: [{webhook: {url: \"http://%s/verify\"}},"
          + " {prometheus: {query: \"errors{step='$(step)'}\", cel: \"result[0] < 1.0\"}}]}";

  private static CheckServer server;

  private final Shop shop;
  private AuditLog change;

  CheckSourcesE2E(Shop shop) {
    this.shop = shop;
  }

  @BeforeAll
  static void serve() throws IOException {
    server = new CheckServer();
  }

  @AfterAll
  static void end() {
    server.close();
  }

  @BeforeEach
  void open() {
    server.passes = true;
    server.questions.clear();
    change = AuditLog.fromNow();
  }

  @Test
  void shouldAskAboutEachGroupAndShowTheAnswers() {
    // When
    shop.apply(app("7.0", CHECKS, ""));
    // Then
    var checks = task(shop.awaitReady("cache"), "provision").checks();
    assertThat(checks)
        .extracting(CheckResult::name, CheckResult::group, CheckResult::passed)
        .containsExactlyInAnyOrder(
            tuple("verified", "shard-0", true), tuple("verified", "shard-1", true));
    assertThat(checks)
        .extracting(CheckResult::actual)
        .allMatch(actual -> actual.startsWith("serves; result = [0.25]"));
    assertThat(server.questions)
        .contains("/api/v1/query query=errors{app='cache', group='shard-1'}")
        .anyMatch(
            question ->
                question.startsWith(
                        "/verify {\"function\":\"redis\",\"params\":{\"level\":\"strict\"}")
                    && question.contains("\"role\":\"primary\""));
  }

  @Test
  void shouldStopAtThePodInWorkAndRollBackWhenClientsAreRefused() {
    // Given
    shop.apply(app("7.0", CHECKS, ""));
    shop.awaitReady("cache");
    var before = ofNodes(new Volumes(shop).podUids());
    change = AuditLog.fromNow();
    // When
    shop.apply(app("7.2", CHECKS, "onFailure: Rollback, interval: 1m, "));
    await().until(() -> !restarted().isEmpty());
    server.passes = false;
    // Then
    var task = task(shop.awaitFailed("cache"), "versionupgrade");
    assertThat(task.error().reason()).isEqualTo("CheckFailed");
    assertThat(task.error().message())
        .startsWith(
            "check serves of redis-nodes did not hold 2 times in a row, every 1 s: clients are"
                + " refused")
        .endsWith("; rolled back");
    assertThat(task.checks())
        .filteredOn(it -> it.name().equals("serves"))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.passed()).isFalse();
              assertThat(it.actual()).isEqualTo("refuses");
              assertThat(it.failures()).isEqualTo(2);
            });
    assertThat(restarted()).hasSize(2).containsOnly(restarted().getFirst());
    before.remove(restarted().getFirst());
    assertThat(new Volumes(shop).podUids()).containsAllEntriesOf(before);
    assertThat(shop.events("cache", "CheckFailed")).hasSize(1);
  }

  @Test
  void shouldCheckTheWholeChangeInATaskThatARetryRepeatsAlone() {
    // Given
    shop.apply(app("7.0", "", ""));
    shop.awaitReady("cache");
    server.passes = false;
    // When
    shop.apply(app("7.2", AFTER_THE_CHANGE, ""));
    // Then
    var task = task(shop.awaitFailed("cache"), "check");
    assertThat(task.error().message())
        .isEqualTo("check whole of redis-nodes did not hold within 10 s: clients are refused");
    // and
    server.passes = true;
    change = AuditLog.fromNow();
    shop.annotate(
        "cache", Labels.RETRY_CONTROL, "{\"retryTaskIds\": [\"%s\"]}".formatted(task.id()));
    var app = shop.awaitApp("cache", it -> "Succeeded".equals(it.getStatus().change().outcome()));
    var checked = task(app, "check");
    assertThat(checked.status()).isEqualTo("Done");
    assertThat(checked.checks()).extracting(CheckResult::actual).containsExactly("serves");
    assertThat(change.restarts(shop.namespace)).isEmpty();
  }

  @Test
  void shouldRefuseAHostThatIsNotListed() {
    // When
    shop.apply(app("7.0", CHECKS.replace("%1$s", "127.0.0.1:1"), ""));
    // Then
    var refused =
        shop.awaitApp(
            "cache",
            app ->
                Shop.condition(app, "Accepted")
                    .filter(accepted -> accepted.getStatus().equals("False"))
                    .isPresent());
    assertThat(Shop.condition(refused, "Accepted").orElseThrow().getMessage())
        .contains(
            "spec.components[redis-nodes].checks[verified].allOf[0].webhook.url: host 127.0.0.1:1"
                + " is not in the engine's setting checks.hosts");
  }

  @Test
  void shouldBeAskedByAnIntegrationTestUntilTheConditionHolds() {
    // Given
    var run = new IntegrationRun(shop, "sources");
    shop.apply(shop.file("k8s/samples/tester.yaml"));
    server.passes = false;
    // When
    run.apply(
        run.yaml(IntegrationRun.step("up", shop.small("one"), BY_A_TEST.formatted(server.host()))));
    await().until(() -> server.questions.stream().anyMatch(it -> it.startsWith("/verify")));
    server.passes = true;
    // Then
    var status = run.ends(IntegrationTestStatus.PASSED);
    assertThat(status.steps().getFirst().checks().getFirst().actual())
        .isEqualTo("serves; result = [0.25]");
    assertThat(server.questions)
        .contains("/api/v1/query query=errors{step='up'}")
        .anyMatch(it -> it.startsWith("/verify") && it.contains("\"step\":\"up\""));
  }

  /** The pods of redis-nodes that were replaced, oldest first. */
  private List<String> restarted() {
    return change.restarts(shop.namespace).stream()
        .filter(pod -> pod.contains("redis-nodes"))
        .toList();
  }

  private static Map<String, String> ofNodes(Map<String, String> pods) {
    var nodes = new TreeMap<>(pods);
    nodes.keySet().removeIf(pod -> !pod.contains("redis-nodes"));
    return nodes;
  }

  private static TaskStatus task(App app, String type) {
    return app.getStatus().tasks().stream()
        .filter(task -> task.id().endsWith(type + "-redis-nodes"))
        .findFirst()
        .orElseThrow();
  }

  private Yaml app(String version, String checks, String settings) {
    return shop.cache()
        .replace("version: \"7.0\"", "version: \"%s\"".formatted(version))
        .replace("change: {", "change: {" + settings)
        .replace("    type: redis\n", "    type: redis\n" + checks.formatted(server.host()));
  }
}
