package io.middleware.engine.activities.testing.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.api.testing.TestCheckResult;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadCounts;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadResult;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadRun;
import io.temporal.failure.ApplicationFailure;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is counted while a load runs, and how it ends. */
@ExtendWith(ApiServer.class)
class LoadWatchIT {
  private final LoadScene scene;

  LoadWatchIT(LocalNamespace cluster) {
    scene = new LoadScene(cluster);
  }

  @BeforeEach
  void prepare() {
    scene.allow();
    scene.createTarget("target", Map.of());
  }

  @Test
  void shouldCheckAtEachTimeUntilTheDurationIsOver() {
    // Given
    var test = scene.create(it -> it + "  duration: 3s\n");
    var run = scene.begin(test);
    // When
    var result = watch(run);
    // Then
    assertThat(result.counts())
        .isEqualTo(new LoadCounts(3, 0, 0, Optional.of(run.begun().plusSeconds(3))));
    assertThat(result.why()).isEqualTo("its duration of 3s is over");
    assertThat(result.stopped()).isFalse();
    var status = scene.status(test);
    assertThat(status.checkCount()).isEqualTo(3);
    assertThat(status.passCount()).isEqualTo(3);
    assertThat(status.failCount()).isZero();
    assertThat(status.lastResults())
        .singleElement()
        .satisfies(
            last -> {
              assertThat(last.name()).isEqualTo("allOf[0]");
              assertThat(last.passed()).isTrue();
              assertThat(last.actual()).isEqualTo("target.data.healthy = true");
            });
  }

  @Test
  void shouldFailAfterThreeFailuresInARow() {
    // Given
    var test = scene.create();
    var run = scene.begin(test);
    scene.set("healthy", "false");
    // When Then
    assertFails(
        run,
        "CheckFailed",
        "ConfigMap target: it did not hold 3 times in a row: target.data.healthy = false, expected target.data.healthy == 'true'; 3 checks: 0 held, 3 did not");
    assertThat(scene.status(test).failCount()).isEqualTo(3);
    assertThat(scene.status(test).consecutiveFailures()).isEqualTo(3);
  }

  @Test
  void shouldGoOnWithTheCountsOfTheStatus() {
    // Given
    var test = scene.create(it -> it + "  duration: 4s\n");
    var run = scene.begin(test);
    var second = run.begun().plusSeconds(2);
    count(test, 1, 1, 1, second);
    // When
    var result = watch(run);
    // Then
    assertThat(result.counts().checks()).as("the times 3 s and 4 s").isEqualTo(4);
    assertThat(result.counts().consecutiveFailures()).isZero();
    assertThat(scene.status(test).passCount()).isEqualTo(3);
    assertThat(scene.status(test).failCount()).isEqualTo(1);
  }

  /** The worker was gone before it could say so. */
  @Test
  void shouldFailWhenTheLastFailureIsCountedAlready() {
    // Given
    var test = scene.create();
    var run = scene.begin(test);
    count(test, 4, 3, 3, run.begun());
    // When Then
    assertFails(
        run,
        "CheckFailed",
        "ConfigMap target: it did not hold 3 times in a row: as it was; 7 checks: 4 held, 3 did not");
    assertThat(scene.status(test).checkCount()).isEqualTo(7);
  }

  @Test
  void shouldNotHoldWhenTheTargetIsGone() {
    // Given
    var run = scene.begin(scene.create());
    scene.cluster.named(ConfigMap.class, "target").delete();
    // When Then
    assertFails(
        run,
        "CheckFailed",
        "ConfigMap target: it did not hold 3 times in a row: ConfigMap target is gone");
  }

  @Test
  void shouldEndWhenAllJobsHaveCompleted() {
    // Given
    var run = scene.begin(scene.create(it -> it.replaceFirst("  checks: .*\n", "")));
    scene.jobs.end("Complete", "");
    // When
    var result = watch(run);
    // Then
    assertThat(result)
        .isEqualTo(
            new LoadResult(LoadCounts.NONE, false, "all Jobs of the workload have completed"));
  }

  @Test
  void shouldCheckOnceWhereTheLoadEndsBeforeTheFirstCheck() {
    // Given
    var test = scene.create(it -> it.replace("every: 1s", "every: 1h"));
    var run = scene.begin(test);
    scene.jobs.end("Complete", "");
    // When Then
    assertThat(watch(run).counts().passed()).isEqualTo(1);
    assertThat(scene.status(test).checkCount()).isEqualTo(1);
  }

  @Test
  void shouldFailWhereTheOnlyCheckDoesNotHold() {
    // Given
    var run = scene.begin(scene.create(it -> it.replace("every: 1s", "every: 1h")));
    scene.jobs.end("Complete", "");
    scene.set("healthy", "false");
    // When Then
    assertFails(
        run,
        "CheckFailed",
        "ConfigMap target: its only check did not hold: target.data.healthy = false");
    assertFails(run, "CheckFailed", "ConfigMap target: its only check did not hold");
  }

  @Test
  void shouldFailWithTheExitCodeAndTheLastWordsOfAJob() {
    // Given
    var run = scene.begin(scene.create());
    scene.jobs.createPod(3, "connected\nWRONGPASS invalid password\n");
    scene.jobs.end("Failed", "BackoffLimitExceeded");
    // When Then
    assertFails(
        run,
        "WorkloadFailed",
        "Job bench failed: pod bench-x: Error, exit code 3: WRONGPASS invalid password");
  }

  @Test
  void shouldFailWhenAJobIsGone() {
    // Given
    var run = scene.begin(scene.create());
    scene.cluster.client().resource(scene.job()).delete();
    // When Then
    assertFails(run, "WorkloadFailed", "Job bench is gone, and its result is unknown");
  }

  @Test
  void shouldReturnWhatIsCountedWhenItIsStopped() {
    // Given
    var test = scene.create();
    var run = scene.begin(test);
    var watch = CompletableFuture.supplyAsync(() -> watch(run));
    scene.cluster.await().until(() -> scene.status(test).checkCount() != null);
    // When
    scene.attempt.cancelled = true;
    // Then
    var result = watch.join();
    assertThat(result.stopped()).isTrue();
    assertThat(result.counts().checks()).isEqualTo(scene.status(test).checkCount());
  }

  @Test
  void shouldEndWhenTheTestIsGone() {
    // Given
    var test = scene.create();
    var run = scene.begin(test);
    // When
    scene.cluster.client().resource(test).delete();
    // Then
    assertFails(
        run, "Superseded", "LoadTest %s/benchmark is gone".formatted(scene.cluster.namespace()));
  }

  @Test
  void shouldKeepTheCountsOfAStepsLoadInItsHeartbeats() {
    // Given
    var test = scene.create(it -> it + "  suspend: true\n  duration: 4s\n");
    var run = scene.begin(scene.loadOfStep(test));
    scene.attempt.earlier =
        Optional.of(new LoadCounts(1, 1, 1, Optional.of(run.begun().plusSeconds(2))));
    // When
    var result = watch(run);
    // Then
    assertThat(result.counts().checks()).isEqualTo(4);
    assertThat(scene.attempt.last.checks()).isEqualTo(3);
    assertThat(scene.status(test)).isNull();
  }

  private LoadResult watch(LoadRun run) {
    return scene.activities().runLoad(run);
  }

  private void count(LoadTest test, int passed, int failed, int inARow, Instant at) {
    var now = scene.cluster.now(test);
    now.setStatus(
        now.getStatus()
            .counted(
                passed,
                failed,
                inARow,
                at.toString(),
                List.of(new TestCheckResult("allOf[0]", false, "no", "as it was", at.toString()))));
    scene.cluster.client().resource(now).updateStatus();
  }

  private void assertFails(LoadRun run, String reason, String text) {
    assertThatThrownBy(() -> watch(run))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(reason);
              assertThat(failure.getOriginalMessage()).startsWith(text);
              assertThat(failure.isNonRetryable()).isTrue();
            });
  }
}
