package io.middleware.engine.activities.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.middleware.engine.api.check.CheckResult;
import io.middleware.engine.api.task.WatchedChecks;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.planning.condition.AnsweringServer.Answer;
import io.middleware.engine.workflows.port.CheckActivities.WatchRequest;
import io.temporal.client.ActivityCanceledException;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A check that is repeated beside the tasks, every second. */
@ExtendWith(ApiServer.class)
class CheckWatchIT {
  private static final List<WatchedChecks> WATCHED =
      List.of(new WatchedChecks("db", List.of("serves")));

  private final LocalNamespace cluster;
  private CheckScene scene;

  CheckWatchIT(LocalNamespace cluster) {
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
  void shouldStopTheChangeWhenACheckBesideItFailsThreeTimesInARow() {
    // Given
    scene.server.answers(
        200, "{\"passed\": false, \"actual\": \"0 of 2\", \"message\": \"refuses\"}");
    // When Then
    assertThatThrownBy(() -> scene.activities.watchChecks(besideTheTasks()))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo("CheckFailed");
              assertThat(e.getOriginalMessage())
                  .isEqualTo(
                      "check serves of db did not hold 3 times in a row, every 1 s: refuses");
            });
    assertThat(scene.server.questions).hasSize(3);
    assertThat(scene.results())
        .extracting(
            CheckResult::name, CheckResult::passed, CheckResult::actual, CheckResult::failures)
        .containsExactly(tuple("serves", false, "0 of 2", 3));
    assertThat(scene.cluster.events()).anyMatch(event -> event.getReason().equals("CheckFailed"));
  }

  @Test
  void shouldGoOnAfterTwoFailuresAndARecovery() {
    // Given
    var answers = new AtomicInteger();
    scene.server.answers(
        question ->
            new Answer(200, "{\"passed\": %s}".formatted(answers.incrementAndGet() % 3 == 0)));
    var watch = CompletableFuture.runAsync(() -> scene.activities.watchChecks(besideTheTasks()));
    // When
    scene.cluster.await().until(() -> answers.get() >= 5);
    // Then
    assertThat(watch).isNotDone();
    scene.cancel(watch);
    assertThatThrownBy(watch::join).hasRootCauseInstanceOf(ActivityCanceledException.class);
  }

  @Test
  void shouldNotCountWhatIsNotKnownButSayIt() {
    // Given
    scene.server.answers(503, "starting");
    var watch = CompletableFuture.runAsync(() -> scene.activities.watchChecks(besideTheTasks()));
    // When
    scene.cluster.await().until(() -> scene.server.questions.size() >= 4);
    // Then
    assertThat(watch).isNotDone();
    assertThat(scene.results())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.passed()).isNull();
              assertThat(it.message()).startsWith("not known: ").endsWith("503: starting");
              assertThat(it.failures()).isZero();
            });
    scene.cancel(watch);
    assertThatThrownBy(watch::join).hasRootCauseInstanceOf(ActivityCanceledException.class);
  }

  @Test
  void shouldNotLookWhileTheAppIsPaused() {
    // Given
    scene.server.answers(200, "{\"passed\": false}");
    scene.pause();
    var watch = CompletableFuture.runAsync(() -> scene.activities.watchChecks(besideTheTasks()));
    scene.engine.awaitHeartbeat("check serves of db: looks");
    assertThat(scene.server.questions).isEmpty();
    // When
    scene.resume();
    // Then
    assertThatThrownBy(watch::join).hasRootCauseInstanceOf(ApplicationFailure.class);
  }

  @Test
  void shouldHoldForAStepAtTheFirstLook() {
    // Given
    scene.server.answers(200, "{\"passed\": true}");
    // When Then
    assertThat(scene.hold(WATCHED)).isTrue();
    assertThat(scene.server.questions).hasSize(1);
    assertThat(scene.hold(List.of())).isTrue();
    assertThat(scene.server.questions).hasSize(1);
  }

  @Test
  void shouldNotTakeWhatIsNotKnownForAFailureBeforeAStep() {
    scene.server.answers(503, "starting");
    assertThat(scene.hold(WATCHED)).isTrue();
  }

  @Test
  void shouldKeepAStepUntilTheCheckHoldsAgain() {
    // Given
    var answers = new AtomicInteger();
    scene.server.answers(
        question -> new Answer(200, "{\"passed\": %s}".formatted(answers.incrementAndGet() > 2)));
    // When Then
    assertThat(scene.hold(WATCHED)).isFalse();
    assertThat(answers).hasValue(3);
    assertThat(scene.engine.heartbeats)
        .anyMatch(text -> text.startsWith("pod x: to be replaced: waits for check serves of db"));
  }

  @Test
  void shouldFailAStepWhenTheCheckFailsThreeTimesInARow() {
    // Given
    scene.server.answers(200, "{\"passed\": false, \"message\": \"refuses\"}");
    // When Then
    assertThatThrownBy(() -> scene.hold(WATCHED))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo("CheckFailed");
              assertThat(e.isNonRetryable()).isTrue();
            })
        .hasMessageContaining("check serves of db did not hold 3 times in a row, every 1 s");
  }

  private WatchRequest besideTheTasks() {
    return new WatchRequest(scene.task.change(), Optional.empty(), WATCHED);
  }
}
