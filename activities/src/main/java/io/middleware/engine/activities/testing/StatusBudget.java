package io.middleware.engine.activities.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.api.testing.RoundSummary;
import io.middleware.engine.api.testing.StepStatus;
import io.middleware.engine.api.testing.TestCheckResult;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Keeps the statuses of IntegrationTests so short that the API server takes them, whatever a test
 * has found. What is needed least goes first.
 */
final class StatusBudget {
  static final int LONGEST_STATUS = 256 * 1024;
  static final int LONGEST_SPEC = 512 * 1024;

  private static final int SHORT = 256;
  private static final String PASSED = "Passed";

  private static final List<UnaryOperator<IntegrationTestStatus>> CUTS =
      List.of(
          status -> withChecks(status, StatusBudget::hasPassed, StatusBudget::withoutMessage),
          status -> withChecks(status, step -> true, StatusBudget::withoutMessage),
          status -> withChecks(status, step -> true, StatusBudget::withoutActual),
          StatusBudget::withShortMessages,
          StatusBudget::withoutChecks);

  private final KubernetesSerialization json;

  StatusBudget(KubernetesSerialization json) {
    this.json = json;
  }

  /** In bytes, as it is sent to the API server. */
  int size(Object value) {
    return json.asJson(value).getBytes(UTF_8).length;
  }

  IntegrationTestStatus fit(IntegrationTestStatus status) {
    var fit = status;
    for (var cut : CUTS) {
      if (size(fit) <= LONGEST_STATUS) {
        return fit;
      }
      fit = cut.apply(fit);
    }
    return fit;
  }

  private static boolean hasPassed(StepStatus step) {
    return PASSED.equals(step.phase());
  }

  private static IntegrationTestStatus withChecks(
      IntegrationTestStatus status,
      Predicate<StepStatus> which,
      UnaryOperator<TestCheckResult> next) {
    return withSteps(
        status,
        step ->
            which.test(step) && step.checks() != null
                ? with(step, step.message(), step.checks().stream().map(next).toList())
                : step);
  }

  private static TestCheckResult withoutMessage(TestCheckResult check) {
    return new TestCheckResult(
        check.name(), check.passed(), check.actual(), null, check.checkedAt());
  }

  private static TestCheckResult withoutActual(TestCheckResult check) {
    return new TestCheckResult(check.name(), check.passed(), null, null, check.checkedAt());
  }

  private static IntegrationTestStatus withShortMessages(IntegrationTestStatus status) {
    var rounds =
        status.rounds() == null
            ? null
            : status.rounds().stream().map(StatusBudget::withShortMessage).toList();
    return with(
        withSteps(status, step -> with(step, Excerpt.within(step.message(), SHORT), step.checks())),
        rounds);
  }

  private static RoundSummary withShortMessage(RoundSummary round) {
    return new RoundSummary(
        round.round(),
        round.outcome(),
        Excerpt.within(round.message(), SHORT),
        round.startedAt(),
        round.completedAt());
  }

  private static IntegrationTestStatus withoutChecks(IntegrationTestStatus status) {
    return withSteps(status, step -> with(step, step.message(), null));
  }

  private static StepStatus with(StepStatus step, String message, List<TestCheckResult> checks) {
    return new StepStatus(
        step.name(), step.phase(), message, step.startedAt(), step.completedAt(), checks);
  }

  private static IntegrationTestStatus withSteps(
      IntegrationTestStatus status, Function<StepStatus, StepStatus> next) {
    return status.steps() == null
        ? status
        : status.withSteps(status.steps().stream().map(next).toList());
  }

  private static IntegrationTestStatus with(
      IntegrationTestStatus status, List<RoundSummary> rounds) {
    return status.withRounds(rounds);
  }
}
