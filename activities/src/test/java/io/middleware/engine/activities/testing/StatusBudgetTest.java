package io.middleware.engine.activities.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.api.testing.IntegrationTestStatusBuilder;
import io.middleware.engine.api.testing.RoundSummary;
import io.middleware.engine.api.testing.StepStatus;
import io.middleware.engine.api.testing.TestCheckResult;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StatusBudgetTest {
  private final StatusBudget budget = new StatusBudget(new KubernetesSerialization());

  @Test
  void shouldLeaveAShortStatusAlone() {
    var status = status(2, 2, 100);
    assertThat(budget.fit(status)).isEqualTo(status);
  }

  @Test
  void shouldDropTheMessagesOfChecksThatAreNeededLeast() {
    // When
    var fit = budget.fit(status(4, 16, 4000));
    // Then
    assertThat(budget.size(fit)).isLessThanOrEqualTo(StatusBudget.LONGEST_STATUS);
    assertThat(fit.steps().getFirst().checks().getFirst().message()).isNull();
    assertThat(fit.steps().getLast().checks().getFirst().message()).hasSize(4000);
    assertThat(fit.steps().getLast().message()).hasSize(4000);
  }

  @Test
  void shouldFitTheLongestStatus() {
    // When
    var fit = budget.fit(status(65, 16, 8000));
    // Then
    assertThat(budget.size(fit)).isLessThanOrEqualTo(StatusBudget.LONGEST_STATUS);
    assertThat(fit.steps()).hasSize(65);
    assertThat(fit.message()).hasSize(8000);
  }

  private static IntegrationTestStatus status(int steps, int checks, int length) {
    var text = "é".repeat(length);
    var results =
        IntStream.range(0, checks)
            .mapToObj(
                i -> new TestCheckResult("c" + i, true, "1".repeat(100), "m".repeat(length), "now"))
            .toList();
    var all =
        IntStream.range(0, steps)
            .mapToObj(
                i ->
                    new StepStatus(
                        "s" + i, i < steps - 1 ? "Passed" : "Failed", text, null, null, results))
            .toList();
    var rounds =
        IntStream.range(0, 20)
            .mapToObj(
                i -> new RoundSummary(i, "Passed", "r".repeat(Math.min(length, 4000)), null, null))
            .toList();
    return IntegrationTestStatusBuilder.builder()
        .phase("Failed")
        .message(text)
        .round(1)
        .passed(0)
        .failed(1)
        .workflowId("id")
        .runId("run")
        .steps(all)
        .rounds(rounds)
        .build();
  }
}
