package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.testing.LoadTestStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Loads on an App, as users make them. */
@EndToEnd
@Disruptive("kills the worker, and freezes the API server")
class LoadTestE2E {
  private static final String HEALTHY = "example.com/healthy";
  private static final Duration AWAY = Duration.ofSeconds(20);

  private final Shop shop;

  LoadTestE2E(Shop shop) {
    this.shop = shop;
  }

  @BeforeEach
  void deploy() {
    LoadRun.allow(shop);
    shop.apply(shop.small("one"));
    shop.awaitReady("one");
    shop.annotate("one", HEALTHY, "true");
  }

  @Test
  void shouldPassWhenItsDurationIsOver() {
    // When
    var load = new LoadRun(shop, "benchmark");
    load.apply(load.yaml().plus("  duration: 5s\n"));
    // Then
    var running = load.checked(1);
    assertThat(running.phase()).isEqualTo(LoadTestStatus.RUNNING);
    assertThat(load.job().getSpec().getTemplate().getMetadata().getAnnotations())
        .containsEntry("test.middleware.io/inject-target-host", "one-sentinel-all");
    var status = load.ends(LoadTestStatus.PASSED);
    var checks = status.checkCount();
    assertThat(checks).as("one a second, fewer while the machine is busy").isBetween(2, 5);
    assertThat(status.passCount()).isEqualTo(checks);
    assertThat(status.failCount()).isZero();
    assertThat(status.target()).isEqualTo("App one");
    assertThat(status.message())
        .isEqualTo(
            "App one: %1$d checks: %1$d held, 0 did not; its duration of 5s is over"
                .formatted(checks));
    await("Job gone").atMost(Shop.PATIENCE).until(() -> load.job() == null);
  }

  @Test
  void shouldFailAfterThreeFailuresInARow() {
    // Given
    var load = new LoadRun(shop, "benchmark");
    load.apply(load.yaml());
    load.checked(2);
    // When
    shop.annotate("one", HEALTHY, "false");
    load.awaits(it -> it.consecutiveFailures() != null && it.consecutiveFailures() >= 1);
    shop.annotate("one", HEALTHY, "true");
    load.awaits(it -> it.consecutiveFailures() == 0);
    var before = load.status();
    shop.annotate("one", HEALTHY, "false");
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
            .plus("  readyTimeout: 3s\n"));
    // Then
    var status = load.ends(LoadTestStatus.FAILED);
    assertThat(status.reason()).isEqualTo("TimedOut");
    assertThat(status.message())
        .startsWith("the target was not ready within 3s: App one is not ready: ")
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
    load.checked(1);
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
    shop.kubectl("", "delete", "loadtest", "benchmark", "-n", shop.namespace, "--timeout=60s");
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
    shop.kubectl("", "delete", "loadtest", "benchmark", "-n", shop.namespace, "--timeout=60s");
    await("Job gone").atMost(Shop.PATIENCE).until(() -> load.job() == null);
  }

  @Test
  void shouldBeDeletedSomeTimeAfterItsEnd() {
    // When
    var load = new LoadRun(shop, "benchmark");
    load.apply(load.ending(0, "done").plus("  ttlSecondsAfterFinished: 0\n"));
    // Then
    await("begun").atMost(Shop.PATIENCE).until(() -> load.now() == null || load.now().hasBegun());
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

  /**
   * Each check is counted once, by whichever worker, and those that nobody made are not: while the
   * API server is away, nothing is counted.
   */
  @Test
  void shouldCountExactlyWhateverIsKilledOrAway() {
    // Given
    var load = new LoadRun(shop, "benchmark");
    load.apply(load.yaml());
    load.checked(2);
    // When
    for (var kill = 0; kill < 3; kill++) {
      Engine.kill("worker");
      var before = counted(load);
      load.checked(before + 3);
    }
    Engine.freeze("kube-apiserver", AWAY);
    load.checked(counted(load) + 2);
    shop.annotate("one", HEALTHY, "false");
    // Then
    var status = load.ends(LoadTestStatus.FAILED);
    assertThat(status.reason()).isEqualTo("CheckFailed");
    assertThat(status.failCount()).isEqualTo(3);
    assertThat(status.consecutiveFailures()).isEqualTo(3);
    assertThat(status.checkCount()).isEqualTo(status.passCount() + 3);
    var seconds =
        Duration.between(
                Instant.parse(status.loadStartedAt()), Instant.parse(status.lastCheckedAt()))
            .toSeconds();
    assertThat((long) status.checkCount()).isLessThan(seconds - AWAY.toSeconds() + 2);
  }

  private static int counted(LoadRun load) {
    return Optional.ofNullable(load.status().checkCount()).orElse(0);
  }
}
