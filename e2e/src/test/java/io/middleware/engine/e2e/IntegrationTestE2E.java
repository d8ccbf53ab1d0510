package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.middleware.engine.api.App;
import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.api.testing.RoundSummary;
import io.middleware.engine.api.testing.StepStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of a Plugin and of the way back and forth between two versions. */
@EndToEnd
@Disruptive("kills the worker, and freezes the API server")
class IntegrationTestE2E {
  private static final String GOOD =
      "{name: whole, allOf: [{cel: \"object('App', 'one').status.ready == '1/1'\"}]}";

  private final Shop shop;
  private final IntegrationRun run;

  IntegrationTestE2E(Shop shop) {
    this.shop = shop;
    this.run = new IntegrationRun(shop, "upgrade");
  }

  @BeforeEach
  void allow() {
    shop.applyPlugin(plugin());
    shop.apply(shop.file("k8s/samples/tester.yaml"));
  }

  @Test
  void shouldUpgradeAndGoBackRoundByRound() {
    // When
    run.apply(upAndDown(GOOD).plus("  repeat: {count: 3}\n"));
    // Then
    var status = run.ends(IntegrationTestStatus.PASSED, Duration.ofMinutes(5));
    assertThat(status.message()).isEqualTo("3 of 3 rounds passed");
    assertThat(status.progress()).isEqualTo("3/3");
    assertThat(status.passed()).isEqualTo(3);
    assertThat(status.rounds()).extracting(RoundSummary::outcome).hasSize(3).containsOnly("Passed");
    assertThat(status.steps()).extracting(StepStatus::phase).containsOnly("Passed");
    assertThat(status.steps().get(1).checks().getFirst().actual())
        .isEqualTo("object('App', 'one').status.ready = 1/1");
    assertThat(app()).as("the test has created it, and deletes it").isNull();
  }

  @Test
  void shouldNameRoundStepCheckAndWhatWasFound() {
    // Given
    var lastsARound = "{name: first, within: 1s, allOf: [{cel: \"round == 1 || step != 'down'\"}]}";
    // When
    run.apply(
        upAndDown(lastsARound).plus("  repeat: {untilFailure: true}\n  cleanUp: OnSuccess\n"));
    // Then
    var status = run.ends(IntegrationTestStatus.FAILED, Duration.ofMinutes(5));
    assertThat(status.reason()).isEqualTo("CheckFailed");
    assertThat(status.message())
        .isEqualTo(
            "round 2, step down: check first did not hold within 1s: round = 2, step = down,"
                + " expected round == 1 || step != 'down'");
    assertThat(status.step()).isEqualTo("down");
    assertThat(status.passed()).isEqualTo(1);
    assertThat(status.failed()).isEqualTo(1);
    assertThat(status.rounds().getLast().message()).isEqualTo(status.message());
    assertThat(app()).as("what has failed can be looked at").isNotNull();
    var describe = List.of("temporal", "workflow", "describe", "-w", run.workflowId());
    await("result of the run")
        .until(() -> Engine.run(describe).contains("round 2, step down: check first"));
  }

  @Test
  void shouldKeepWhatWasThereBefore() {
    // Given
    shop.apply(version("7.0"));
    shop.awaitReady("one");
    // When
    run.apply(run.yaml(IntegrationRun.step("up", version("7.2"), GOOD) + configMap("made")));
    // Then
    run.ends(IntegrationTestStatus.PASSED);
    assertThat(app().getSpec().runtime().version()).isEqualTo("7.2");
    assertThat(
            shop.client
                .resources(ConfigMap.class)
                .inNamespace(shop.namespace)
                .withName("made")
                .get())
        .isNull();
  }

  @Test
  void shouldFailAtOnceWhenAManifestIsRefused() {
    // When
    run.apply(
        run.yaml(IntegrationRun.step("up", version("7.0").replace("plugin:", "plugn:"), GOOD)));
    // Then
    var status = run.ends(IntegrationTestStatus.FAILED, Duration.ofMinutes(1));
    assertThat(status.reason()).isEqualTo("ApplyRefused");
    assertThat(status.message()).startsWith("round 1, step up: apply App one: ").contains("plugn");
  }

  @Test
  void shouldNameAllThatIsWrong() {
    // When
    run.apply(upAndDown("{name: typo, allOf: [{cel: \"objct('App', 'one').x\"}]}"));
    // Then
    var status = run.ends(IntegrationTestStatus.REJECTED);
    assertThat(status.reason()).isEqualTo("InvalidSpec");
    assertThat(status.message())
        .contains("spec.steps[1].checks[typo].allOf[0].cel (1:6): undeclared reference to 'objct'")
        .contains("spec.steps[2].checks[typo].allOf[0].cel (1:6)");
  }

  @Test
  void shouldSayHowToAllowTheAccount() {
    // When
    run.apply(upAndDown(GOOD).replace("serviceAccountName: tester", "serviceAccountName: nobody"));
    // Then
    var status = run.ends(IntegrationTestStatus.REJECTED);
    assertThat(status.reason()).isEqualTo("Forbidden");
    assertThat(status.message()).contains("create role impersonate-nobody --verb=impersonate");
  }

  @Test
  void shouldSayWhatItHasSeenLastWhenTheTimeIsOver() {
    // When
    run.apply(
        run.yaml(
            IntegrationRun.step("up", version("7.0"), GOOD)
                .replace("timeout: 2m", "timeout: 10s")
                .replace("c.type == 'Ready'", "c.type == 'Never'")));
    // Then
    var status = run.ends(IntegrationTestStatus.FAILED);
    assertThat(status.reason()).isEqualTo("TimedOut");
    assertThat(status.message())
        .startsWith(
            "round 1, step up: not ready in time: object('App', 'one').status.conditions = ");
    await("App deleted").atMost(Shop.PATIENCE).until(() -> app() == null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"spec.cancel", "temporal", "delete"})
  void shouldStopAndCleanUpWhenItIsCancelled(String way) {
    // Given
    run.apply(
        run.yaml(
            IntegrationRun.step("up", version("7.0"), GOOD)
                    .replace("c.type == 'Ready'", "c.type == 'Never'")
                + configMap("later")));
    run.isIn("up", "Readying");
    // When
    cancel(way);
    // Then
    if (way.equals("delete")) {
      await("gone").atMost(Duration.ofMinutes(2)).until(() -> run.now() == null);
    } else {
      var status = run.ends(IntegrationTestStatus.CANCELLED);
      assertThat(status.message()).isEqualTo("it was cancelled in round 1, step up");
      assertThat(status.steps())
          .extracting(StepStatus::phase)
          .containsExactly("Cancelled", "Skipped");
    }
    assertThat(app()).isNull();
  }

  /** A round takes less than a second, so that the cancel meets any of its moments. */
  @Test
  void shouldHearOfACancelInAnyRound() {
    // Given
    run.apply(run.yaml(configMap("quick")).plus("  repeat: {count: 10000}\n"));
    run.awaits(Duration.ofMinutes(1), status -> status.passed() != null && status.passed() >= 5);
    // When
    cancel("temporal");
    // Then
    assertThat(run.ends(IntegrationTestStatus.CANCELLED).passed()).isGreaterThanOrEqualTo(5);
  }

  private void cancel(String way) {
    switch (way) {
      case "temporal" ->
          Engine.run(List.of("temporal", "workflow", "cancel", "-w", run.workflowId()));
      case "delete" ->
          shop.kubectl(
              "", "delete", "integrationtest", "upgrade", "-n", shop.namespace, "--wait=false");
      default ->
          shop.kubectl(
              "",
              "patch",
              "integrationtest",
              "upgrade",
              "-n",
              shop.namespace,
              "--type=merge",
              "-p",
              "{\"spec\": {\"cancel\": true}}");
    }
  }

  /** The phases are short, so those that wait are made to. */
  @ParameterizedTest
  @ValueSource(strings = {"Applying", "Converging", "Readying", "Checking"})
  void shouldEndAsIfTheWorkerHadNotBeenKilled(String phase) {
    // Given
    var slow = GOOD.replace("whole,", "whole, for: 3s,");
    run.apply(upAndDown(slow));
    // When
    awaitReached(phase);
    Engine.kill("worker");
    // Then
    var status = run.ends(IntegrationTestStatus.PASSED, Duration.ofMinutes(5));
    assertThat(status.passed()).isEqualTo(1);
    assertThat(app()).isNull();
  }

  private void awaitReached(String phase) {
    run.awaits(
        Shop.PATIENCE,
        status ->
            IntegrationRun.phaseOf(status, "up").filter(now -> reached(now, phase)).isPresent());
  }

  private static boolean reached(String now, String phase) {
    var order = List.of("Pending", "Applying", "Converging", "Readying", "Checking", "Passed");
    return order.indexOf(now) >= order.indexOf(phase);
  }

  @Test
  void shouldWaitWhileTheApiServerIsAway() {
    // Given
    run.apply(upAndDown(GOOD));
    awaitReached("Converging");
    // When
    Engine.freeze("kube-apiserver", Duration.ofSeconds(20));
    // Then
    assertThat(run.ends(IntegrationTestStatus.PASSED, Duration.ofMinutes(5)).passed()).isEqualTo(1);
  }

  private Yaml upAndDown(String check) {
    return run.yaml(
        IntegrationRun.step("provision", version("7.0"), "")
            + IntegrationRun.step("up", version("7.2"), check)
            + IntegrationRun.step("down", version("7.0"), check));
  }

  private static String configMap(String name) {
    return """
        - name: more
          apply: [{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}, data: {a: b}}]
        """
        .formatted(name);
  }

  private Yaml version(String version) {
    return shop.small("one")
        .replace("version: 1.0.0", "version: 1.0.8")
        .replace("version: \"7.0\"", "version: \"%s\"".formatted(version));
  }

  private App app() {
    return shop.client.resources(App.class).inNamespace(shop.namespace).withName("one").get();
  }

  /** It leads back as well. */
  private Yaml plugin() {
    return shop.sample("plugin-redis.yaml")
        .replace("redis-v1.0.0", "redis-v1.0.8")
        .replace("version: 1.0.0", "version: 1.0.8")
        .replace("- version: \"7.0\"\n", "- version: \"7.0\"\n      upgradesFrom: [\"7.2\"]\n");
  }
}
