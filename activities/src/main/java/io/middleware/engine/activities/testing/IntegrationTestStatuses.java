package io.middleware.engine.activities.testing;

import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.Timestamp;
import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.api.testing.IntegrationTestStatusBuilder;
import io.middleware.engine.api.testing.RoundSummary;
import io.middleware.engine.api.testing.StepStatus;
import io.middleware.engine.api.testing.TestCheckResult;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.RoundBeginning;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.RoundPlan;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.StepPlan;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.TestEnd;
import io.middleware.engine.workflows.testing.port.PassedRound;
import io.middleware.engine.workflows.testing.port.StepProgress;
import io.middleware.engine.workflows.testing.port.StepProgress.Phase;
import io.middleware.engine.workflows.testing.port.TestRef;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Makes the statuses of IntegrationTests. */
final class IntegrationTestStatuses {
  private static final int MOST_ROUNDS = 20;
  private static final int LONGEST_STEP_MESSAGE = 8000;
  private static final int LONGEST_MESSAGE = 32_000;
  private static final int LONGEST_ROUND_MESSAGE = 4000;

  private IntegrationTestStatuses() {}

  static String time(Instant time) {
    return Timestamp.of(time);
  }

  /** Of a round that a run has taken over, and that does not begin. */
  static IntegrationTestStatus claimed(RoundBeginning round, Optional<IntegrationTestStatus> now) {
    return status(round, now, IntegrationTestStatus.PENDING, List.of(), null);
  }

  /** Of a round that begins. */
  static IntegrationTestStatus begun(
      RoundBeginning round, RoundPlan plan, Optional<IntegrationTestStatus> now) {
    var steps =
        Stream.concat(plan.steps().stream(), plan.finalChecks().stream())
            .map(StepPlan::name)
            .map(name -> new StepStatus(name, Phase.PENDING.label(), null, null, null, null))
            .toList();
    var progress =
        plan.rounds()
            .map(rounds -> "%d/%d".formatted(round.round(), rounds))
            .orElseGet(() -> String.valueOf(round.round()));
    return status(round, now, IntegrationTestStatus.RUNNING, steps, progress);
  }

  private static IntegrationTestStatus status(
      RoundBeginning round,
      Optional<IntegrationTestStatus> now,
      String phase,
      List<StepStatus> steps,
      String progress) {
    var rounds = round.passed().stream().map(IntegrationTestStatuses::summary).toList();
    return IntegrationTestStatusBuilder.builder()
        .phase(phase)
        .message("round %d has begun".formatted(round.round()))
        .round(round.round())
        .progress(progress)
        .passed(round.round() - 1)
        .failed(0)
        .workflowId(round.test().workflowId())
        .runId(round.test().runId())
        .startedAt(now.map(IntegrationTestStatus::startedAt).orElseGet(() -> time(round.begun())))
        .steps(steps)
        .rounds(rounds)
        .build();
  }

  /** Of a test that a run has taken over, wherever it is. */
  static IntegrationTestStatus takenOver(TestRef ref, Optional<IntegrationTestStatus> now) {
    if (now.filter(it -> ref.runId().equals(it.runId())).isPresent()) {
      return now.get();
    }
    return now.orElseGet(
            () ->
                IntegrationTestStatusBuilder.builder().phase(IntegrationTestStatus.PENDING).build())
        .with()
        .reason(null)
        .workflowId(ref.workflowId())
        .runId(ref.runId())
        .completedAt(null)
        .build();
  }

  private static RoundSummary summary(PassedRound round) {
    return new RoundSummary(
        round.round(),
        Phase.PASSED.label(),
        null,
        time(round.startedAt()),
        time(round.completedAt()));
  }

  /** What the workflow knows of the steps; of those in progress the status knows more. */
  static IntegrationTestStatus reported(IntegrationTestStatus now, List<StepProgress> steps) {
    var next = steps(now, steps);
    var current =
        steps.stream()
            .filter(step -> step.phase() == Phase.RUNNING)
            .findFirst()
            .map(StepProgress::name)
            .orElse(now.step());
    return copy(now, now.message(), current, next);
  }

  private static List<StepStatus> steps(IntegrationTestStatus now, List<StepProgress> steps) {
    return all(now).map(step -> merged(step, steps)).toList();
  }

  private static Stream<StepStatus> all(IntegrationTestStatus status) {
    return status.steps() == null ? Stream.empty() : status.steps().stream();
  }

  private static StepStatus merged(StepStatus known, List<StepProgress> steps) {
    return steps.stream()
        .filter(step -> step.name().equals(known.name()))
        .filter(
            step -> step.phase() != Phase.RUNNING || Phase.PENDING.label().equals(known.phase()))
        .findFirst()
        .map(step -> with(known, step))
        .orElse(known);
  }

  private static StepStatus with(StepStatus known, StepProgress step) {
    return new StepStatus(
        known.name(),
        step.phase().label(),
        step.message().isEmpty() ? null : Excerpt.within(step.message(), LONGEST_STEP_MESSAGE),
        step.startedAt().map(IntegrationTestStatuses::time).orElse(null),
        step.completedAt().map(IntegrationTestStatuses::time).orElse(null),
        known.checks());
  }

  /**
   * A step in progress.
   *
   * @param phase for example {@code Converging}
   * @param message what it waits for; may be empty
   * @param checks empty: those that are known
   */
  static IntegrationTestStatus going(
      IntegrationTestStatus now, StepStatus step, Optional<List<TestCheckResult>> checks) {
    var next =
        all(now)
            .map(
                known ->
                    known.name().equals(step.name())
                        ? new StepStatus(
                            known.name(),
                            step.phase(),
                            Excerpt.within(step.message(), LONGEST_STEP_MESSAGE),
                            Objects.requireNonNullElse(known.startedAt(), step.startedAt()),
                            null,
                            checks.orElse(known.checks()))
                        : known)
            .toList();
    var message =
        step.message() == null || step.message().isEmpty()
            ? "step %s: %s".formatted(step.name(), step.phase())
            : "step %s: %s".formatted(step.name(), step.message());
    return copy(now, Excerpt.within(message, LONGEST_MESSAGE), step.name(), next);
  }

  private static IntegrationTestStatus copy(
      IntegrationTestStatus now, String message, String step, List<StepStatus> steps) {
    return now.with().message(message).step(step).steps(steps).build();
  }

  /** Of a test that has ended. */
  static IntegrationTestStatus ended(IntegrationTestStatus before, TestEnd end, Instant now) {
    var round = end.round();
    var passed = Objects.requireNonNullElse(before.passed(), 0) + (round.passed() ? 1 : 0);
    var failed =
        round.begun() && !round.passed() && IntegrationTestStatus.FAILED.equals(end.phase())
            ? 1
            : 0;
    return before
        .with()
        .phase(end.phase())
        .message(Excerpt.within(end.message(), LONGEST_MESSAGE))
        .reason(end.reason().isEmpty() ? null : end.reason())
        .step(end.step().orElse(null))
        .passed(passed)
        .failed(failed)
        .completedAt(time(now))
        .steps(steps(before, round.steps()).stream().map(IntegrationTestStatuses::skipped).toList())
        .rounds(round.begun() ? rounds(before, summary(end, now)) : before.rounds())
        .build();
  }

  /** A step of which the workflow knows nothing has not begun, such as the final checks. */
  private static StepStatus skipped(StepStatus step) {
    return Phase.PENDING.label().equals(step.phase())
        ? new StepStatus(step.name(), Phase.SKIPPED.label(), null, null, null, null)
        : step;
  }

  private static RoundSummary summary(TestEnd end, Instant now) {
    var round = end.round();
    return new RoundSummary(
        round.round(),
        round.passed() ? Phase.PASSED.label() : end.phase(),
        round.passed() ? null : Excerpt.within(end.message(), LONGEST_ROUND_MESSAGE),
        time(round.startedAt()),
        time(now));
  }

  private static List<RoundSummary> rounds(IntegrationTestStatus before, RoundSummary last) {
    var all =
        Stream.concat(
                Optional.ofNullable(before.rounds()).stream()
                    .flatMap(List::stream)
                    .filter(round -> round.round() != last.round()),
                Stream.of(last))
            .toList();
    return all.subList(Math.max(0, all.size() - MOST_ROUNDS), all.size());
  }
}
