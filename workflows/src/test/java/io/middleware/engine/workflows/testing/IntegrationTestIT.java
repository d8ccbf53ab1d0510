package io.middleware.engine.workflows.testing;

import static io.middleware.engine.workflows.testing.FakeIntegrationTest.fails;
import static io.middleware.engine.workflows.testing.FakeIntegrationTest.inWords;
import static io.middleware.engine.workflows.testing.FakeIntegrationTest.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.workflows.testing.port.CleanUpPlan;
import io.middleware.engine.workflows.testing.port.CleanUpPlan.ObjectName;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.CleanUpRequest;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.StepPlan;
import io.middleware.engine.workflows.testing.port.PassedRound;
import io.middleware.engine.workflows.testing.port.TestRefusal;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowStub;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One run is one round; the first step that fails ends the test, which cleans up. */
class IntegrationTestIT {
  @RegisterExtension private final LocalEnvironment env = new LocalEnvironment();
  private final FakeIntegrationTest test = env.test;

  @Test
  void shouldCarryOutTheStepsInTheirOrder() {
    // When
    var result = env.run();
    // Then
    assertThat(result).isEqualTo("1 of 1 round passed");
    assertThat(test.calls)
        .containsExactly(
            "begin 1",
            "apply up 1",
            "converged up 1",
            "ready up 1",
            "check up 1",
            "report up=Passed down=Pending",
            "apply down 1",
            "converged down 1",
            "ready down 1",
            "check down 1",
            "report up=Passed down=Passed",
            "clean up Passed",
            "end Passed");
    assertThat(test.refs).allSatisfy(ref -> assertThat(ref.spec()).isEqualTo("spec"));
  }

  @Test
  void shouldSkipPhasesThatHaveNothingToDo() {
    // Given
    test.steps = List.of(new StepPlan("up", Duration.ofMinutes(1), false, false, Optional.empty()));
    // When
    env.run();
    // Then
    assertThat(test.calls)
        .contains("apply up 1", "converged up 1")
        .doesNotContain("ready up 1", "check up 1");
  }

  @Test
  void shouldRepeatRoundsAsRunsOfTheirOwn() {
    // Given
    test.rounds = Optional.of(25);
    test.steps = List.of(step("up"));
    // When
    var result = env.run();
    // Then
    assertThat(result).isEqualTo("25 of 25 rounds passed");
    assertThat(test.begun).hasSize(25);
    assertThat(test.begun.stream().map(it -> it.test().runId()).distinct()).hasSize(25);
    var last = test.begun.getLast();
    assertThat(last.spec()).contains("spec");
    assertThat(last.passed()).extracting(PassedRound::round).hasSize(20).startsWith(5).endsWith(24);
    assertThat(test.calls.stream().filter(call -> call.startsWith("clean up"))).hasSize(1);
  }

  @Test
  void shouldStopAtTheFirstRoundThatFails() {
    // Given
    test.rounds = Optional.of(5);
    test.at.put("check down 3", fails("CheckFailed", "check lag did not hold within 5s: 7"));
    // When Then
    assertFails("CheckFailed", "round 3, step down: check lag did not hold within 5s: 7");
    assertThat(test.calls).contains("check up 3").doesNotContain("begin 4");
    var end = test.ends.getFirst();
    assertThat(end.message()).isEqualTo("round 3, step down: check lag did not hold within 5s: 7");
    assertThat(end.reason()).isEqualTo("CheckFailed");
    assertThat(end.step()).contains("down");
    assertThat(end.round().passed()).isFalse();
    assertThat(inWords(end.round().steps())).isEqualTo("up=Passed down=Failed");
    assertThat(test.calls).endsWith("clean up Failed", "end Failed");
  }

  @Test
  void shouldSkipWhatComesAfterAStepThatFails() {
    // Given
    test.at.put("apply up 1", fails("ApplyRefused", "no such field"));
    // When Then
    assertFails("ApplyRefused", "round 1, step up: no such field");
    assertThat(inWords(test.ends.getFirst().round().steps())).isEqualTo("up=Failed down=Skipped");
  }

  @Test
  void shouldRepeatUntilTheTimeIsOver() {
    // Given
    test.rounds = Optional.empty();
    test.longest = Optional.of(Duration.ofHours(1));
    test.steps = List.of(step("up"));
    // When
    var result =
        env.start(Instant.now().minus(Duration.ofMinutes(59)).minusSeconds(58))
            .getResult(String.class);
    // Then
    assertThat(result)
        .matches("[1-9][0-9]* rounds? passed, then the time for more rounds was over");
    assertThat(test.begun.size()).isGreaterThan(1);
  }

  @Test
  void shouldCarryOutTheFinalChecksOnce() {
    // Given
    test.rounds = Optional.of(2);
    test.finalChecks =
        Optional.of(
            new StepPlan("final-checks", Duration.ofMinutes(1), false, true, Optional.empty()));
    test.at.put("check final-checks 2", fails("CheckFailed", "check writes did not hold"));
    // When Then
    assertFails("CheckFailed", "round 2, step final-checks: check writes did not hold");
    assertThat(test.calls).contains("check final-checks 2").doesNotContain("check final-checks 1");
    var end = test.ends.getFirst();
    assertThat(end.step()).contains("final-checks");
    assertThat(end.round().passed()).isTrue();
  }

  @Test
  void shouldCarryOutAllStepsTogether() {
    // Given
    test.parallel = true;
    test.at.put("ready up 1", () -> await().until(() -> test.calls.contains("ready down 1")));
    test.at.put("ready down 1", () -> await().until(() -> test.calls.contains("ready up 1")));
    // When Then
    assertThat(env.run()).isEqualTo("1 of 1 round passed");
  }

  @Test
  void shouldCancelTheOthersWhenOneOfThemFails() {
    // Given
    test.parallel = true;
    test.at.put("ready up 1", FakeIntegrationTest::hangs);
    test.at.put(
        "check down 1",
        () -> {
          await().until(() -> test.calls.contains("ready up 1"));
          fails("CheckFailed", "no").run();
        });
    // When Then
    assertFails("CheckFailed", "round 1, step down: no");
    assertThat(inWords(test.ends.getFirst().round().steps())).isEqualTo("up=Cancelled down=Failed");
  }

  @Test
  void shouldRejectATestThatIsWrong() {
    // Given
    test.refusal = Optional.of(new TestRefusal("Rejected", "InvalidSpec", "spec.steps[0]: no"));
    // When Then
    assertFails("InvalidSpec", "spec.steps[0]: no");
    assertThat(test.ends.getFirst().phase()).isEqualTo("Rejected");
    assertThat(test.ends.getFirst().message()).isEqualTo("spec.steps[0]: no");
    assertThat(test.ends.getFirst().round().begun()).isFalse();
    assertThat(test.calls).containsExactly("begin 1", "end Rejected");
  }

  @Test
  void shouldNotTouchATestThatHasEnded() {
    // Given
    test.refusal = Optional.of(new TestRefusal("", "Ended", "it has ended before"));
    // When Then
    assertFails("Ended", "it has ended before");
    assertThat(test.calls).containsExactly("begin 1");
  }

  @Test
  void shouldDeleteWhatTheFirstRoundHasFoundAlthoughTheSpecWasEdited() {
    // Given
    var first =
        new CleanUpPlan("tester", List.of(new ObjectName("v1", "ConfigMap", "first")), true);
    test.cleanUp = first;
    test.rounds = Optional.of(3);
    test.at.put(
        "begin 2",
        () ->
            test.refusal = Optional.of(new TestRefusal("Failed", "InvalidSpec", "it was edited")));
    // When Then
    assertFails("InvalidSpec", "it was edited");
    assertThat(test.cleanUps).extracting(CleanUpRequest::plan).containsExactly(first);
  }

  @Test
  void shouldWaitForAWorkerThatCleansUp() {
    // When
    env.run();
    // Then
    var limits =
        env.temporal.getWorkflowClient().fetchHistory(LocalEnvironment.ID).getEvents().stream()
            .filter(event -> event.hasActivityTaskScheduledEventAttributes())
            .map(event -> event.getActivityTaskScheduledEventAttributes())
            .filter(activity -> activity.getActivityType().getName().equals("CleanUp"))
            .map(String::valueOf);
    assertThat(limits)
        .singleElement()
        .asString()
        .containsPattern("start_to_close_timeout \\{\\s+seconds: 330")
        .doesNotContainPattern("schedule_to_close_timeout \\{\\s+seconds: 330");
  }

  @Test
  void shouldSayWhatIsLeft() {
    // Given
    test.left = List.of("App cache is being deleted");
    // When
    env.run();
    // Then
    assertThat(test.ends.getFirst().message())
        .isEqualTo("1 of 1 round passed; left: App cache is being deleted");
  }

  @Test
  void shouldEndAlthoughItCannotCleanUp() {
    // Given
    test.at.put("clean up Passed", fails("Forbidden", "not allowed"));
    // When
    env.run();
    // Then
    assertThat(test.ends.getFirst().message())
        .isEqualTo("1 of 1 round passed; left: what it has created: not allowed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"apply up 1", "converged up 1", "ready up 1", "check up 1"})
  void shouldCleanUpAfterACancel(String at) {
    // Given
    test.at.put(at, FakeIntegrationTest::hangs);
    var run = env.start();
    await().until(() -> test.calls.contains(at));
    // When
    run.cancel();
    // Then
    assertCancelled(run);
    assertThat(test.calls).endsWith("clean up Cancelled", "end Cancelled");
    assertThat(test.ends.getFirst().message()).isEqualTo("it was cancelled in round 1, step up");
    assertThat(inWords(test.ends.getFirst().round().steps()))
        .isEqualTo("up=Cancelled down=Skipped");
  }

  @Test
  void shouldEndAStepThatNoWorkerEndsInTime() {
    // Given
    test.steps = List.of(new StepPlan("up", Duration.ofSeconds(1), false, false, Optional.empty()));
    test.at.put("apply up 1", fails("Unavailable", "the API server does not answer"));
    // When Then
    assertFails("TimedOut", "round 1, step up: apply: the API server does not answer");
  }

  private void assertCancelled(WorkflowStub run) {
    assertThatThrownBy(() -> run.getResult(String.class))
        .isInstanceOf(WorkflowFailedException.class)
        .cause()
        .isInstanceOf(CanceledFailure.class);
  }

  private void assertFails(String reason, String message) {
    assertThatThrownBy(env::run)
        .isInstanceOf(WorkflowFailedException.class)
        .cause()
        .asInstanceOf(type(ApplicationFailure.class))
        .satisfies(
            failure -> {
              assertThat(failure.getType()).isEqualTo(reason);
              assertThat(failure.getOriginalMessage()).isEqualTo(message);
            });
  }
}
