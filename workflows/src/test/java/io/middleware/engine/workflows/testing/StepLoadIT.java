package io.middleware.engine.workflows.testing;

import static io.middleware.engine.workflows.testing.FakeIntegrationTest.fails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.StepPlan;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowFailedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A step under load: it begins when the load runs, and passes when both have passed. */
class StepLoadIT {
  private static final String LOAD = LocalEnvironment.ID + "/1/up/load";

  @RegisterExtension private final LocalEnvironment env = new LocalEnvironment();
  private final FakeIntegrationTest test = env.test;

  @Test
  void shouldPassWhenTheStepAndItsLoadHavePassed() {
    // Given
    load("good", Duration.ofMinutes(1));
    // When
    env.run();
    // Then
    assertThat(test.calls)
        .containsSubsequence("report up=Applying", "apply up 1", "check up 1", "report up=Passed");
    assertThat(test.ends.getFirst().round().steps().getFirst().message())
        .isEqualTo("12 checks passed");
  }

  @Test
  void shouldPassWhenTheLoadEndsByItselfBefore() {
    // Given
    load("short", Duration.ofMinutes(1));
    test.at.put("ready up 1", () -> await().until(() -> !isRunning()));
    // When Then
    assertThat(env.run()).isEqualTo("1 of 1 round passed");
  }

  @Test
  void shouldFailWhenTheLoadFails() {
    // Given
    load("failing", Duration.ofMinutes(1));
    test.at.put("ready up 1", FakeIntegrationTest::hangs);
    // When Then
    assertFails(
        "LoadTestFailed",
        "round 1, step up: LoadTest failing: the Job of the workload failed with exit code 3");
  }

  @Test
  void shouldApplyNothingWhenTheLoadCannotBegin() {
    // Given
    load("broken", Duration.ofMinutes(1));
    // When Then
    assertFails("LoadTestFailed", "round 1, step up: LoadTest broken: no such target");
    assertThat(test.calls).doesNotContain("apply up 1");
  }

  @Test
  void shouldFailWhenTheLoadDoesNotBeginInTime() {
    // Given
    load("late", Duration.ofSeconds(1));
    // When Then
    assertFails("TimedOut", "round 1, step up: the load of LoadTest late has not begun in time");
    assertThat(test.calls).doesNotContain("apply up 1");
    assertThat(isRunning()).isFalse();
  }

  @Test
  void shouldCancelTheLoadOfAStepThatFails() {
    // Given
    load("good", Duration.ofMinutes(1));
    test.at.put("check up 1", fails("CheckFailed", "no"));
    // When Then
    assertFails("CheckFailed", "round 1, step up: no");
    assertThat(status()).isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED);
  }

  @Test
  void shouldCancelTheLoadWithTheTest() {
    // Given
    load("good", Duration.ofMinutes(1));
    test.at.put("ready up 1", FakeIntegrationTest::hangs);
    var run = env.start();
    await().until(() -> test.calls.contains("ready up 1"));
    // When
    run.cancel();
    // Then
    assertThatThrownBy(() -> run.getResult(String.class))
        .isInstanceOf(WorkflowFailedException.class);
    assertThat(test.ends.getFirst().phase()).isEqualTo("Cancelled");
    assertThat(status()).isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED);
  }

  @Test
  void shouldFailWhenSomebodyCancelsTheLoad() {
    // Given
    load("good", Duration.ofMinutes(1));
    test.at.put(
        "ready up 1",
        () -> {
          env.temporal.getWorkflowClient().newUntypedWorkflowStub(LOAD).cancel();
          FakeIntegrationTest.hangs();
        });
    // When Then
    assertFails("LoadTestFailed", "round 1, step up: LoadTest good: it was cancelled");
  }

  private void load(String name, Duration timeout) {
    test.steps = List.of(new StepPlan("up", timeout, true, true, Optional.of(name)));
  }

  private void assertFails(String reason, String message) {
    assertThatThrownBy(env::run).isInstanceOf(WorkflowFailedException.class);
    assertThat(test.ends.getFirst().reason()).isEqualTo(reason);
    assertThat(test.ends.getFirst().message()).isEqualTo(message);
    assertThat(test.ends.getFirst().phase()).isEqualTo("Failed");
  }

  private boolean isRunning() {
    return status() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
  }

  private WorkflowExecutionStatus status() {
    return env.temporal.getWorkflowClient().newUntypedWorkflowStub(LOAD).describe().getStatus();
  }
}
