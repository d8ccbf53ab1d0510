package io.middleware.engine.e2e.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.api.testing.RoundSummary;
import io.middleware.engine.api.testing.StepStatus;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Shop;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of a Plugin and of the way back and forth between two versions. */
@EndToEnd
@Order(1)
class IntegrationTestE2E {
  private final Shop shop;
  private final RoundTrip trip;
  private final IntegrationRun run;

  IntegrationTestE2E(Shop shop) {
    this.shop = shop;
    this.trip = new RoundTrip(shop);
    this.run = trip.run;
  }

  @BeforeEach
  void prepare() {
    trip.prepare();
  }

  @Test
  void shouldUpgradeAndGoBackRoundByRound() {
    // When
    run.apply(trip.yaml(RoundTrip.GOOD).plus("  repeat: {count: 3}\n"));
    // Then
    var status = run.ends(IntegrationTestStatus.PASSED);
    assertThat(status.message()).isEqualTo("3 of 3 rounds passed");
    assertThat(status.progress()).isEqualTo("3/3");
    assertThat(status.passed()).isEqualTo(3);
    assertThat(status.rounds()).extracting(RoundSummary::outcome).hasSize(3).containsOnly("Passed");
    assertThat(status.steps()).extracting(StepStatus::phase).containsOnly("Passed");
    assertThat(status.steps().get(1).checks().getFirst().actual())
        .isEqualTo("object('App', 'one').status.ready = 1/1");
    assertThat(trip.app()).as("the test has created it, and deletes it").isNull();
  }

  @Test
  void shouldNameRoundStepCheckAndWhatWasFound() {
    // Given
    var lastsARound = "{name: first, within: 1s, allOf: [{cel: \"round == 1 || step != 'down'\"}]}";
    // When
    run.apply(
        trip.yaml(lastsARound).plus("  repeat: {untilFailure: true}\n  cleanUp: OnSuccess\n"));
    // Then
    var status = run.ends(IntegrationTestStatus.FAILED);
    assertThat(status.reason()).isEqualTo("CheckFailed");
    assertThat(status.message())
        .isEqualTo(
            "round 2, step down: check first did not hold within 1s: round = 2, step = down,"
                + " expected round == 1 || step != 'down'");
    assertThat(status.step()).isEqualTo("down");
    assertThat(status.passed()).isEqualTo(1);
    assertThat(status.failed()).isEqualTo(1);
    assertThat(status.rounds().getLast().message()).isEqualTo(status.message());
    assertThat(trip.app()).as("what has failed can be looked at").isNotNull();
    var describe = List.of("temporal", "workflow", "describe", "-w", run.workflowId());
    await("result of the run")
        .until(() -> Engine.run(describe).contains("round 2, step down: check first"));
  }

  @Test
  void shouldKeepWhatWasThereBefore() {
    // Given
    shop.apply(trip.version("7.0"));
    shop.awaitReady("one");
    // When
    run.apply(
        run.yaml(
            IntegrationRun.step("up", trip.version("7.2"), RoundTrip.GOOD) + configMap("made")));
    // Then
    run.ends(IntegrationTestStatus.PASSED);
    assertThat(trip.app().getSpec().runtime().version()).isEqualTo("7.2");
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
        run.yaml(
            IntegrationRun.step(
                "up", trip.version("7.0").replace("plugin:", "plugn:"), RoundTrip.GOOD)));
    // Then
    var status = run.ends(IntegrationTestStatus.FAILED);
    assertThat(status.reason()).isEqualTo("ApplyRefused");
    assertThat(status.message()).startsWith("round 1, step up: apply App one: ").contains("plugn");
  }

  @Test
  void shouldNameAllThatIsWrong() {
    // When
    run.apply(trip.yaml("{name: typo, allOf: [{cel: \"objct('App', 'one').x\"}]}"));
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
    run.apply(
        trip.yaml(RoundTrip.GOOD)
            .replace("serviceAccountName: tester", "serviceAccountName: nobody"));
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
            IntegrationRun.step("up", trip.version("7.0"), RoundTrip.GOOD)
                .replace("timeout: 5m", "timeout: 45s")
                .replace("c.type == 'Ready'", "c.type == 'Never'")));
    // Then
    var status = run.ends(IntegrationTestStatus.FAILED);
    assertThat(status.reason()).isEqualTo("TimedOut");
    assertThat(status.message())
        .startsWith(
            "round 1, step up: not ready in time: object('App', 'one').status.conditions = ");
    await("App deleted").atMost(Shop.PATIENCE).until(() -> trip.app() == null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"spec.cancel", "temporal", "delete"})
  void shouldStopAndCleanUpWhenItIsCancelled(String way) {
    // Given
    run.apply(
        run.yaml(
            IntegrationRun.step("up", trip.version("7.0"), RoundTrip.GOOD)
                    .replace("c.type == 'Ready'", "c.type == 'Never'")
                + configMap("later")));
    run.isIn("up", "Readying");
    // When
    cancel(way);
    // Then
    if (way.equals("delete")) {
      await("gone").until(() -> run.now() == null);
    } else {
      var status = run.ends(IntegrationTestStatus.CANCELLED);
      assertThat(status.message()).isEqualTo("it was cancelled in round 1, step up");
      assertThat(status.steps())
          .extracting(StepStatus::phase)
          .containsExactly("Cancelled", "Skipped");
    }
    assertThat(trip.app()).isNull();
  }

  /** A round takes less than a second, so that the cancel meets any of its moments. */
  @Test
  void shouldHearOfACancelInAnyRound() {
    // Given
    run.apply(run.yaml(configMap("quick")).plus("  repeat: {count: 10000}\n"));
    run.awaits(status -> status.passed() != null && status.passed() >= 5);
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

  private static String configMap(String name) {
    return """
        - name: more
          apply: [{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}, data: {a: b}}]
        """
        .formatted(name);
  }
}
