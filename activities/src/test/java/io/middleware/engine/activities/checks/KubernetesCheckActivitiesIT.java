package io.middleware.engine.activities.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.grpc.Status;
import io.middleware.engine.api.check.CheckResult;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.CheckActivities.CheckRequest;
import io.temporal.client.ActivityCanceledException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Checks of pods and of what their agents answer. */
@ExtendWith(ApiServer.class)
class KubernetesCheckActivitiesIT {
  private final LocalNamespace cluster;
  private CheckScene scene;

  KubernetesCheckActivitiesIT(LocalNamespace cluster) {
    this.cluster = cluster;
  }

  @BeforeEach
  void open() throws IOException {
    scene = new CheckScene(cluster);
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void shouldHoldAtOnceAndSayWhatWasFound() {
    // When
    var hold = scene.activities.checksHold(scene.ofGroup("in-sync"));
    // Then
    assertThat(hold).isTrue();
    assertThat(scene.results())
        .extracting(CheckResult::name, CheckResult::group, CheckResult::passed, CheckResult::actual)
        .containsExactly(tuple("in-sync", "g", true, "cache-db-g-1: lag = 0"));
    assertThat(scene.zero.calls).doesNotContain("measure lag");
  }

  @Test
  void shouldCheckTheWholeComponent() {
    assertThat(
            scene.activities.checksHold(
                new CheckRequest(scene.task, Optional.empty(), List.of("complete"))))
        .isTrue();
    assertThat(scene.results())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.group()).isNull();
              assertThat(it.actual())
                  .isEqualTo(
                      "nodes = [cache-db-g-0 primary ready, cache-db-g-1 replica ready], replicas ="
                          + " 2; nodes = [cache-db-g-0 primary ready, cache-db-g-1 replica ready]");
            });
  }

  @Test
  void shouldFailWithWhatWasFoundAndWhatWasExpected() {
    // Given
    scene.one.answers.put("lag", "5242880");
    // When Then
    assertThat(scene.activities.checksHold(scene.ofGroup("in-sync"))).isFalse();
    scene.assertFails(
        "in-sync",
        "check in-sync of db/g did not hold within 1 s: cache-db-g-1: lag = 5242880, expected"
            + " int(answer) < 1048576");
    assertThat(scene.results())
        .extracting(CheckResult::passed, CheckResult::actual, CheckResult::message)
        .containsExactly(
            tuple(
                false,
                "cache-db-g-1: lag = 5242880",
                "cache-db-g-1: lag = 5242880, expected int(answer) < 1048576"));
    assertThat(scene.cluster.events())
        .filteredOn(event -> event.getReason().equals("CheckFailed"))
        .singleElement()
        .satisfies(event -> assertThat(event.getNote()).contains("lag = 5242880"));
  }

  @Test
  void shouldWaitUntilItHolds() {
    // Given
    scene.one.answers.put("lag", "5242880");
    var waits =
        CompletableFuture.runAsync(() -> scene.activities.awaitChecks(scene.ofGroup("patient")));
    scene.cluster.await().until(() -> scene.one.calls.contains("measure lag"));
    // When
    scene.one.answers.put("lag", "7");
    // Then
    waits.join();
    assertThat(scene.results())
        .extracting(CheckResult::passed, CheckResult::actual)
        .containsExactly(tuple(true, "cache-db-g-1: lag = 7"));
  }

  @Test
  void shouldFailWhenTheAgentRefusesTheQuestion() {
    // Given
    scene.one.answers.clear();
    // When Then
    scene.assertFails("in-sync", "this agent does not know the question lag");
  }

  @Test
  void shouldNotGuessWhatASilentAgentWouldAnswer() {
    // Given
    scene.one.measureFailure = Status.UNAVAILABLE.withDescription("loading");
    // When Then
    scene.assertFails("in-sync", "not known: the agent of pod cache-db-g-1 ");
    assertThat(scene.results()).extracting(CheckResult::passed).containsExactly(false);
  }

  @Test
  void shouldNotGuessTheRoleOfASilentAgent() {
    // Given
    scene.one.role = "";
    // When Then
    scene.assertFails("in-sync", "not known: pod cache-db-g-1: its agent does not report its role");
  }

  @Test
  void shouldKeepHoldingBeforeItPasses() {
    // When Then
    assertThat(scene.activities.checksHold(scene.ofGroup("steady"))).isFalse();
    var begin = System.nanoTime();
    scene.activities.awaitChecks(scene.ofGroup("steady"));
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(1));
    assertThat(scene.results()).extracting(CheckResult::name).containsExactly("steady");
  }

  @Test
  void shouldWaitWhileTheAppIsPaused() {
    // Given
    scene.one.answers.put("lag", "5242880");
    scene.pause();
    assertThat(scene.activities.checksHold(scene.ofGroup("in-sync"))).isFalse();
    var waits =
        CompletableFuture.runAsync(() -> scene.activities.awaitChecks(scene.ofGroup("in-sync")));
    scene.engine.awaitHeartbeat("App cache is paused");
    assertThat(scene.one.calls).doesNotContain("measure lag");
    // When
    scene.one.answers.put("lag", "0");
    scene.resume();
    // Then
    waits.join();
  }

  @Test
  void shouldEndEarlyWhenItIsCancelled() {
    // Given
    scene.one.answers.put("lag", "5242880");
    var waits =
        CompletableFuture.runAsync(() -> scene.activities.awaitChecks(scene.ofGroup("patient")));
    scene.cluster.await().until(() -> scene.one.calls.contains("measure lag"));
    // When
    scene.cancel(waits);
    // Then
    assertThatThrownBy(waits::join).hasRootCauseInstanceOf(ActivityCanceledException.class);
  }
}
