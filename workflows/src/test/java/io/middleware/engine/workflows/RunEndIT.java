package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ChangeEnvironment.cancel;
import static io.middleware.engine.workflows.ChangeEnvironment.retry;
import static io.middleware.engine.workflows.Plans.fails;
import static io.temporal.api.enums.v1.EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED;
import static io.temporal.api.enums.v1.EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED;
import static io.temporal.api.enums.v1.EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW;
import static io.temporal.api.enums.v1.EventType.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED;
import static io.temporal.api.enums.v1.EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How a run ends in Temporal tells how its change ended. */
class RunEndIT {
  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);
  private final FakeCluster cluster = env.cluster;

  @Test
  void shouldCompleteWhenTheChangeSucceeded() {
    // When
    env.change(7);
    // Then
    assertThat(end()).isEqualTo(EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED);
  }

  @Test
  void shouldFailWhenTheChangeFailed() {
    // Given
    cluster.fault =
        operation ->
            operation.equals("apply sentinel/all") ? fails(FaultKind.INVALID, "broken") : null;
    // When
    env.change(7);
    // Then
    assertThat(end()).isEqualTo(EVENT_TYPE_WORKFLOW_EXECUTION_FAILED);
    var failure = last().getWorkflowExecutionFailedEventAttributes().getFailure();
    assertThat(failure.getMessage()).isEqualTo("Failed: task 7-config-sentinel failed: broken");
    assertThat(failure.getApplicationFailureInfo().getType()).isEqualTo("Invalid");
    assertThat(failure.getApplicationFailureInfo().getNonRetryable()).isTrue();
    assertThat(failure.getStackTrace()).isEmpty();
    assertThat(env.events()).doesNotContain(EVENT_TYPE_WORKFLOW_TASK_FAILED);
  }

  @Test
  void shouldFailWhenATaskTimedOut() {
    // Given
    cluster.planner =
        change ->
            Plans.within(Duration.ofSeconds(2), Plans.inTurn(7, ChangeType.CONFIG, "sentinel"));
    env.whenHangingAt("converged sentinel/all", () -> {});
    // When
    env.change(7);
    // Then
    assertThat(end()).isEqualTo(EVENT_TYPE_WORKFLOW_EXECUTION_FAILED);
  }

  @Test
  void shouldFailWhenTheEditIsRejected() {
    // Given
    cluster.planner = change -> new PlanAnswer.Rejected(7, "PluginNotFound", "no such plugin");
    // When
    env.change(7);
    // Then
    assertThat(end()).isEqualTo(EVENT_TYPE_WORKFLOW_EXECUTION_FAILED);
  }

  @Test
  void shouldBeCanceledWhenTheChangeIsCancelledByRequest() {
    // Given
    env.whenHangingAt("replace s0-1", () -> env.update("cancelChange"));
    // When
    env.change(7);
    // Then
    assertThat(end()).isEqualTo(EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED);
    assertThat(cluster.ends()).hasSize(1);
  }

  @Test
  void shouldBeCanceledWhenATaskIsCancelled() {
    // Given
    env.whenHangingAt("replace s0-1", () -> env.update("cancelTasks", cancel("7-config-nodes")));
    // When
    env.change(7);
    // Then
    assertThat(end()).isEqualTo(EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED);
  }

  @Test
  void shouldBeCanceledWhenTheRunIsCancelledNatively() {
    // Given
    env.whenHangingAt("replace s0-1", () -> env.cancelNatively(""));
    // When
    env.change(7);
    // Then
    assertThat(end()).isEqualTo(EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED);
    assertThat(cluster.operations).doesNotContain("cancel run");
  }

  @Test
  void shouldPassOnToTheNextRunAlthoughTheChangeIsCancelled() {
    // Given
    env.whenHangingAt(
        "replace s0-1",
        () -> {
          env.update("cancelChange");
          env.change(8);
        });
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    var first = env.client().fetchHistory(ChangeEnvironment.ID, cluster.runs.getFirst());
    assertThat(first.getLastEvent().getEventType())
        .isEqualTo(EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW);
  }

  /** Its end would be lost with the run, which passes nothing on any more. */
  @Test
  void shouldRefuseARetryWhileTheRunIsBeingCancelled() {
    // Given
    env.whenHangingAt("replace s0-1", () -> env.update("cancelTasks", cancel("7-config-nodes")));
    var refusal = new AtomicReference<>("");
    cluster.fault =
        operation -> {
          if (operation.equals("cancel run")) {
            refusal.set(env.refusal("retryTasks", retry("7-config-nodes")));
          }
          return null;
        };
    // When
    env.change(7);
    // Then
    assertThat(end()).isEqualTo(EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED);
    assertThat(refusal.get()).isEqualTo("the change is being stopped: retry when it has ended");
  }

  private EventType end() {
    env.result();
    return last().getEventType();
  }

  private HistoryEvent last() {
    List<HistoryEvent> events = env.history("").toList();
    return events.getLast();
  }
}
