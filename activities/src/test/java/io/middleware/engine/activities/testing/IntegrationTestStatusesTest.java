package io.middleware.engine.activities.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.Timestamp;
import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.api.testing.RoundSummary;
import io.middleware.engine.api.testing.StepStatus;
import io.middleware.engine.api.testing.TestCheckResult;
import io.middleware.engine.workflows.testing.port.CleanUpPlan;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.RoundBeginning;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.RoundEnd;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.RoundPlan;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.StepPlan;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.TestEnd;
import io.middleware.engine.workflows.testing.port.PassedRound;
import io.middleware.engine.workflows.testing.port.StepProgress;
import io.middleware.engine.workflows.testing.port.StepProgress.Phase;
import io.middleware.engine.workflows.testing.port.TestRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class IntegrationTestStatusesTest {
  private static final Instant NOW = Instant.parse("2026-11-26T03:00:00Z");
  private static final TestRef TEST =
      new TestRef("", "shop", "upgrade", "uid", "test/shop/upgrade", "run-3");

  @Test
  void shouldShowARoundThatBegins() {
    // When
    var status = begun(Optional.empty());
    // Then
    assertThat(status.phase()).isEqualTo("Running");
    assertThat(status.progress()).isEqualTo("3/20");
    assertThat(status.passed()).isEqualTo(2);
    assertThat(status.runId()).isEqualTo("run-3");
    assertThat(status.startedAt()).isEqualTo("2026-11-26T02:00:00Z");
    assertThat(status.steps())
        .extracting(StepStatus::name)
        .containsExactly("up", "down", "final-checks");
    assertThat(status.steps()).extracting(StepStatus::phase).containsOnly("Pending");
    assertThat(status.rounds()).extracting(RoundSummary::round).containsExactly(1, 2);
  }

  @Test
  void shouldShowWhatAStepWaitsFor() {
    // When
    var status =
        going(
            begun(Optional.empty()), "Converging", "App cache: observedGeneration 1, generation 2");
    // Then
    assertThat(status.step()).isEqualTo("up");
    assertThat(status.message())
        .isEqualTo("step up: App cache: observedGeneration 1, generation 2");
    var step = status.steps().getFirst();
    assertThat(step.phase()).isEqualTo("Converging");
    assertThat(step.startedAt()).isEqualTo("2026-11-26T03:00:00Z");
  }

  @Test
  void shouldKeepWhatTheWorkflowDoesNotKnow() {
    // Given
    var going = going(begun(Optional.empty()), "Readying", "not yet");
    // When
    var status =
        IntegrationTestStatuses.reported(
            going, List.of(progress("up", Phase.RUNNING), progress("down", Phase.RUNNING)));
    // Then
    assertThat(status.steps())
        .extracting(StepStatus::phase)
        .containsExactly("Readying", "Applying", "Pending");
  }

  @Test
  void shouldKeepChecksOfAStepThatHasEnded() {
    // Given
    var result = new TestCheckResult("lag", true, "0", null, "2026-11-26T03:00:00Z");
    var checked =
        IntegrationTestStatuses.going(
            begun(Optional.empty()), step("Checking", ""), Optional.of(List.of(result)));
    // When
    var status = IntegrationTestStatuses.reported(checked, List.of(progress("up", Phase.PASSED)));
    // Then
    assertThat(status.steps().getFirst().phase()).isEqualTo("Passed");
    assertThat(status.steps().getFirst().checks()).containsExactly(result);
  }

  @Test
  void shouldEndAFailedTest() {
    // Given
    var end =
        end(
            "Failed",
            "CheckFailed",
            "round 3, step up: no",
            new RoundEnd(
                3,
                true,
                false,
                NOW,
                List.of(progress("up", Phase.FAILED), progress("down", Phase.SKIPPED))));
    // When
    var status = IntegrationTestStatuses.ended(begun(Optional.empty()), end, NOW);
    // Then
    assertThat(status.phase()).isEqualTo("Failed");
    assertThat(status.reason()).isEqualTo("CheckFailed");
    assertThat(status.step()).isEqualTo("up");
    assertThat(status.passed()).isEqualTo(2);
    assertThat(status.failed()).isEqualTo(1);
    assertThat(status.completedAt()).isEqualTo("2026-11-26T03:00:00Z");
    assertThat(status.steps())
        .extracting(StepStatus::phase)
        .containsExactly("Failed", "Skipped", "Skipped");
    var last = status.rounds().getLast();
    assertThat(last.round()).isEqualTo(3);
    assertThat(last.outcome()).isEqualTo("Failed");
    assertThat(last.message()).isEqualTo("round 3, step up: no");
  }

  @Test
  void shouldKeepTheLastTwentyRounds() {
    // Given
    var passed =
        IntStream.rangeClosed(5, 24).mapToObj(round -> new PassedRound(round, NOW, NOW)).toList();
    var before =
        IntegrationTestStatuses.begun(
            new RoundBeginning(TEST, 25, NOW, Optional.of("spec"), passed),
            plan(),
            Optional.empty());
    // When
    var status =
        IntegrationTestStatuses.ended(
            before,
            end(
                "Passed",
                "",
                "25 rounds passed",
                new RoundEnd(
                    25,
                    true,
                    true,
                    NOW,
                    List.of(
                        progress("up", Phase.PASSED),
                        progress("down", Phase.PASSED),
                        progress("final-checks", Phase.PASSED)))),
            NOW);
    // Then
    assertThat(status.rounds()).hasSize(20);
    assertThat(status.rounds().getFirst().round()).isEqualTo(6);
    assertThat(status.passed()).isEqualTo(25);
    assertThat(status.failed()).isZero();
    assertThat(status.reason()).isNull();
  }

  @Test
  void shouldNotCountARoundThatHasNotBegun() {
    // Given
    var claimed =
        IntegrationTestStatuses.claimed(
            new RoundBeginning(TEST, 1, NOW, Optional.empty(), List.of()), Optional.empty());
    var end =
        new TestEnd(
            TEST,
            "Rejected",
            "InvalidSpec",
            "spec.steps[0]: no",
            Optional.empty(),
            new RoundEnd(1, false, false, NOW, List.of()));
    // When
    var status = IntegrationTestStatuses.ended(claimed, end, NOW);
    // Then
    assertThat(status.phase()).isEqualTo(IntegrationTestStatus.REJECTED);
    assertThat(status.rounds()).isEmpty();
    assertThat(status.failed()).isZero();
  }

  private static IntegrationTestStatus begun(Optional<IntegrationTestStatus> before) {
    var begun = Instant.parse("2026-11-26T02:00:00Z");
    var passed = List.of(new PassedRound(1, begun, NOW), new PassedRound(2, NOW, NOW));
    return IntegrationTestStatuses.begun(
        new RoundBeginning(TEST, 3, begun, Optional.of("spec"), passed), plan(), before);
  }

  private static RoundPlan plan() {
    return new RoundPlan(
        "spec",
        false,
        List.of(stepPlan("up"), stepPlan("down")),
        Optional.of(stepPlan("final-checks")),
        Optional.of(20),
        Optional.empty(),
        new CleanUpPlan("tester", List.of(), true));
  }

  private static StepPlan stepPlan(String name) {
    return new StepPlan(name, Duration.ofMinutes(10), true, true, Optional.empty());
  }

  private static IntegrationTestStatus going(
      IntegrationTestStatus now, String phase, String message) {
    return IntegrationTestStatuses.going(now, step(phase, message), Optional.empty());
  }

  private static StepStatus step(String phase, String message) {
    return new StepStatus("up", phase, message, Timestamp.of(NOW), null, null);
  }

  private static StepProgress progress(String name, Phase phase) {
    return new StepProgress(name, phase, "", Optional.of(NOW), Optional.empty());
  }

  private static TestEnd end(String phase, String reason, String message, RoundEnd round) {
    return new TestEnd(
        TEST,
        phase,
        reason,
        message,
        phase.equals("Failed") ? Optional.of("up") : Optional.empty(),
        round);
  }
}
