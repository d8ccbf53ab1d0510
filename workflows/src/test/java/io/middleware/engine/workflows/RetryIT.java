package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ChangeEnvironment.cancel;
import static io.middleware.engine.workflows.ChangeEnvironment.request;
import static io.middleware.engine.workflows.ChangeEnvironment.retry;
import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.api.task.TaskPolicy;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.request.RetryRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tasks that did not succeed are retried; tasks that are done stay done. */
class RetryIT {
  private static final String SENTINEL = "7-config-sentinel";
  private static final String NODES = "7-config-nodes";

  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);
  private final FakeCluster cluster = env.cluster;

  @Test
  void shouldRetryATaskWhileAnotherOneRuns() {
    // Given
    cluster.planner = change -> Plans.together(7, "last", "nodes", "sentinel");
    cluster.fault =
        operation ->
            operation.equals("apply sentinel/all") && env.isFirst(operation)
                ? fails(FaultKind.INVALID, "unknown field")
                : null;
    var answers = new AtomicReference<List<String>>();
    env.during(
        "replace s0-1",
        () -> {
          env.await(() -> env.phases().contains(TaskPhase.FAILED));
          answers.set(
              List.of(
                  env.refusal("retryTasks", retry("7-config-last")),
                  env.update("retryTasks", new RetryRequest(List.of(SENTINEL), true))));
        });
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(answers.get())
        .containsExactly(
            "task 7-config-last depends on 7-config-sentinel, not done either: retry that as well",
            "retry of 7-config-sentinel accepted");
    assertThat(env.task(SENTINEL).attempts()).isEqualTo(1);
    assertThat(env.task(SENTINEL).startedAt().orElseThrow())
        .isAfter(env.task(NODES).startedAt().orElseThrow());
  }

  @Test
  void shouldReportTheLastFailureWhenTheTaskTimesOutBeforeARetry() {
    // Given
    try (var env = ChangeEnvironment.withApp(true)) {
      var cluster = env.cluster;
      cluster.planner = change -> pausingLong();
      cluster.fault =
          operation ->
              operation.equals("apply sentinel/all") ? fails(FaultKind.CONFLICT, "taken") : null;
      // When
      env.change(7);
      // Then
      assertThat(env.result())
          .isEqualTo(
              "Failed: task 7-config-sentinel failed: timed out after 30s while waiting for"
                  + " pod sentinel-0: ImagePullBackOff; the last attempt failed: taken");
    }
  }

  @Test
  void shouldRetryInTheNextRunWhenRequestedAfterTheEnd() {
    // Given
    failsOnce("apply sentinel/all");
    var asked = new AtomicBoolean();
    afterTheEnd(
        () -> {
          env.update("retryTasks", retry(SENTINEL));
          env.update("retryTasks", retry(SENTINEL, NODES));
          asked.set(true);
        });
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(asked).isTrue();
    assertThat(cluster.ends())
        .containsExactly("7 Failed: task 7-config-sentinel failed: broken", "7 Succeeded");
    assertThat(cluster.operations).contains("settle 7-config-nodes");
  }

  @Test
  void shouldRefuseToRetryWhatANewerGenerationReplaces() {
    // Given
    failsOnce("apply sentinel/all");
    var refusal = new AtomicReference<String>();
    afterTheEnd(
        () -> {
          env.change(8);
          refusal.set(env.refusal("retryTasks", retry(SENTINEL)));
        });
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(refusal.get())
        .isEqualTo("generation 8 replaces this change: retry its tasks instead");
  }

  @Test
  void shouldRefuseARetryWhileTheChangeIsBeingStopped() {
    // Given
    cluster.planner = change -> Plans.undoing(7, Plans.ROLLBACK, "nodes", "sentinel");
    cluster.waiting = "replace s0-1";
    var refusal = new AtomicReference<String>();
    cluster.begun =
        operation -> {
          cluster.waiting = "restore nodes/shard-0";
          cluster.begun =
              back -> {
                refusal.set(env.refusal("retryTasks", retry(SENTINEL)));
                cluster.waiting = "";
              };
          env.update("cancelChange");
          cluster.hang();
        };
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Cancelled: ");
    assertThat(refusal.get()).isEqualTo("the change is being stopped: retry when it has ended");
    assertThat(env.phases()).containsExactly(TaskPhase.CANCELLED, TaskPhase.CANCELLED);
  }

  @Test
  void shouldRetryAfterTheRunHasClosed() {
    // Given
    failsOnce("apply sentinel/all");
    env.change(7);
    env.result();
    // When
    env.change(request(7).again(retry(SENTINEL)));
    // Then
    assertThat(env.result()).isEqualTo("Failed: not retried and still to do: 7-config-nodes");
    assertThat(env.phases()).containsExactly(TaskPhase.DONE, TaskPhase.SKIPPED);
  }

  @Test
  void shouldCancelInARetryPause() {
    // Given
    var first = new AtomicBoolean(true);
    cluster.planner = change -> pausingLong();
    cluster.fault =
        operation ->
            operation.equals("apply sentinel/all") ? fails(FaultKind.CONFLICT, "taken") : null;
    cluster.seen =
        progress -> {
          if (env.phases().contains(TaskPhase.RETRY_PENDING) && first.getAndSet(false)) {
            env.open().signal("cancelTasks", cancel(SENTINEL));
          }
        };
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Cancelled: ");
    assertThat(env.message(SENTINEL)).isEqualTo("cancelled by request");
  }

  /** A plan whose only task has time for one attempt. */
  private static PlanAnswer pausingLong() {
    var policy = new TaskPolicy(Duration.ofSeconds(30), 3, Duration.ofMinutes(1));
    var task =
        new ChangeTask(SENTINEL, ChangeType.CONFIG, "sentinel", "config", 0, true, false, policy);
    return new PlanAnswer.Planned(
        new ChangePlan(7, false, List.of(task), Plans.ROLLING, Plans.HOLD));
  }

  private void failsOnce(String failing) {
    cluster.fault =
        operation ->
            operation.equals(failing) && env.isFirst(operation)
                ? fails(FaultKind.INVALID, "broken")
                : null;
  }

  /** Between the end of the work and the close of the run. */
  private void afterTheEnd(Runnable action) {
    var tasks = cluster.fault;
    var reports = new AtomicReference<>(0);
    cluster.fault =
        operation -> {
          if (!operation.equals("report end")) {
            return tasks.apply(operation);
          }
          switch (reports.getAndUpdate(count -> count + 1)) {
            case 0 -> {
              return fails(FaultKind.UNAVAILABLE, "no API server");
            }
            case 1 -> action.run();
            default -> {}
          }
          return null;
        };
  }
}
