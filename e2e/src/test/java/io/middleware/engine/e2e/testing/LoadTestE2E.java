package io.middleware.engine.e2e.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.testing.LoadTestStatus;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Shop;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Loads on an App, as users make them. */
@EndToEnd
@Order(1)
class LoadTestE2E {
  private final Shop shop;

  LoadTestE2E(Shop shop) {
    this.shop = shop;
  }

  @BeforeEach
  void deploy() {
    LoadRun.deployHealthy(shop);
  }

  @Test
  void shouldPassWhenItsDurationIsOver() {
    // When
    var load = new LoadRun(shop, "benchmark");
    load.apply(load.yaml().plus("  duration: 10s\n"));
    // Then
    var status = load.ends(LoadTestStatus.PASSED);
    var checks = status.checkCount();
    assertThat(checks).as("one a second, fewer while the machine is busy").isBetween(1, 10);
    assertThat(status.passCount()).isEqualTo(checks);
    assertThat(status.failCount()).isZero();
    assertThat(status.target()).isEqualTo("App one");
    assertThat(status.message())
        .isEqualTo(
            "App one: %1$d checks: %1$d held, 0 did not; its duration of 10s is over"
                .formatted(checks));
    await("Job gone").atMost(Shop.PATIENCE).until(() -> load.job() == null);
  }

  @Test
  void shouldFailAfterThreeFailuresInARow() {
    // Given checks at such intervals that the App can be healthy again before the third failure
    var load = new LoadRun(shop, "benchmark");
    load.apply(load.yaml().replace("every: 1s", "every: 4s"));
    load.checked(1);
    // When
    LoadRun.setHealthy(shop, false);
    load.awaits(it -> it.consecutiveFailures() != null && it.consecutiveFailures() >= 1);
    LoadRun.setHealthy(shop, true);
    load.awaits(it -> it.consecutiveFailures() == 0);
    var before = load.status();
    LoadRun.setHealthy(shop, false);
    // Then
    var status = load.ends(LoadTestStatus.FAILED);
    assertThat(status.reason()).isEqualTo("CheckFailed");
    assertThat(status.consecutiveFailures()).isEqualTo(3);
    assertThat(status.failCount()).isEqualTo(before.failCount() + 3);
    assertThat(status.checkCount()).isEqualTo(status.passCount() + status.failCount());
    assertThat(status.message()).contains("it did not hold 3 times in a row: ", "healthy");
    assertThat(status.lastResults())
        .singleElement()
        .satisfies(result -> assertThat(result.passed()).isFalse());
    await("Job gone").atMost(Shop.PATIENCE).until(() -> load.job() == null);
  }

  @Test
  void shouldFailWithTheExitCodeOfTheLoad() {
    // When
    var load = new LoadRun(shop, "benchmark");
    load.apply(load.ending(3, "connection refused").plus("  cleanUp: OnSuccess\n"));
    // Then
    var status = load.ends(LoadTestStatus.FAILED);
    assertThat(status.reason()).isEqualTo("WorkloadFailed");
    assertThat(status.message())
        .contains("Job benchmark failed: pod ", "exit code 3: connection refused");
    assertThat(load.job()).as("it can be looked at").isNotNull();
  }

  @Test
  void shouldPassWhenTheLoadHasCompleted() {
    // When
    var load = new LoadRun(shop, "benchmark");
    load.apply(load.ending(0, "done"));
    // Then
    assertThat(load.ends(LoadTestStatus.PASSED).message())
        .endsWith("all Jobs of the workload have completed");
  }

  @Test
  void shouldFailWithWhatItHasSeenLastWhenTheTargetIsNeverReady() {
    // When
    var load = new LoadRun(shop, "benchmark");
    load.apply(
        load.yaml()
            .replace("c.type == 'Ready' && c.status == 'True'", "c.type == 'Perfect'")
            .replace(
                "allOf: [{cel: \"target.status",
                "allOf: [{cel: \"target.status.phase == 'Perfect'\"}, {cel: \"target.status")
            .plus("  readyTimeout: 10s\n"));
    // Then
    var status = load.ends(LoadTestStatus.FAILED);
    assertThat(status.reason()).isEqualTo("TimedOut");
    assertThat(status.message())
        .startsWith("the target was not ready within 10s: App one is not ready: ")
        .contains("target.status.phase = ", "expected target.status.phase == 'Perfect'");
    assertThat(load.job()).isNull();
  }

  @Test
  void shouldNameAllThatIsWrong() {
    // When
    var load = new LoadRun(shop, "benchmark");
    load.apply(
        load.yaml()
            .replace(
                "target.metadata.annotations['example.com", "aim.metadata.annotations['example.com")
            .replace("kind: Job", "kind: Jab"));
    // Then
    var status = load.ends(LoadTestStatus.REJECTED);
    assertThat(status.reason()).isEqualTo("InvalidSpec");
    assertThat(status.message())
        .contains("spec.checks.allOf[0].cel", "'aim'", "no namespaced kind batch/v1 Jab");
  }

  @Test
  void shouldStopAndCleanUpWhenItIsCancelled() {
    // Given
    var load = new LoadRun(shop, "benchmark");
    load.apply(load.yaml());
    assertThat(load.checked(1).phase()).isEqualTo(LoadTestStatus.RUNNING);
    assertThat(load.job().getSpec().getTemplate().getMetadata().getAnnotations())
        .containsEntry("test.middleware.io/inject-target-host", "one-sentinel-all");
    // When
    shop.kubectl(
        "",
        "patch",
        "loadtest",
        "benchmark",
        "-n",
        shop.namespace,
        "--type=merge",
        "-p",
        "{\"spec\": {\"cancel\": true}}");
    // Then
    assertThat(load.ends(LoadTestStatus.CANCELLED).message()).isEqualTo("it was cancelled");
    await("Job gone").atMost(Shop.PATIENCE).until(() -> load.job() == null);
  }

  @Test
  void shouldStopAndCleanUpWhenItsRunIsCancelled() {
    // Given
    var load = new LoadRun(shop, "benchmark");
    load.apply(load.yaml());
    load.checked(1);
    // When
    Engine.run(
        List.of(
            "temporal", "workflow", "cancel", "-w", "load/%s/benchmark".formatted(shop.namespace)));
    // Then
    load.ends(LoadTestStatus.CANCELLED);
    await("Job gone").atMost(Shop.PATIENCE).until(() -> load.job() == null);
  }

  @Test
  void shouldStopAndCleanUpWhenItIsDeleted() {
    // Given
    var load = new LoadRun(shop, "benchmark");
    load.apply(load.yaml());
    load.checked(1);
    // When
    shop.kubectl("", "delete", "loadtest", "benchmark", "-n", shop.namespace, "--timeout=4m");
    // Then
    assertThat(load.now()).isNull();
    assertThat(load.job()).as("deleted before the LoadTest was released").isNull();
  }

  @Test
  void shouldSayThatItsRunIsLost() {
    // Given
    var load = new LoadRun(shop, "benchmark");
    load.apply(load.yaml());
    load.checked(1);
    // When
    Engine.run(
        List.of(
            "temporal",
            "workflow",
            "terminate",
            "-w",
            "load/%s/benchmark".formatted(shop.namespace)));
    // Then
    var status = load.ends(LoadTestStatus.FAILED);
    assertThat(status.reason()).isEqualTo("RunLost");
    assertThat(load.job()).isNotNull();
    // and the Job goes with it
    shop.kubectl("", "delete", "loadtest", "benchmark", "-n", shop.namespace, "--timeout=4m");
    await("Job gone").atMost(Shop.PATIENCE).until(() -> load.job() == null);
  }

  @Test
  void shouldBeDeletedSomeTimeAfterItsEnd() {
    // When
    var load = new LoadRun(shop, "benchmark");
    load.apply(load.ending(0, "done").plus("  ttlSecondsAfterFinished: 0\n"));
    // Then
    load.awaitGone();
  }

  @Test
  void shouldWaitForItsStepWhenItIsSuspended() {
    // When
    var load = new LoadRun(shop, "benchmark");
    load.apply(load.yaml().plus("  suspend: true\n"));
    // Then
    load.awaits(status -> LoadTestStatus.SUSPENDED.equals(status.phase()));
    assertThat(load.job()).isNull();
  }
}
