package io.middleware.engine.workflows.testing;

import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.workflows.port.TaskQueues;
import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;

/** Timeouts and retries of the steps of tests. */
final class TestPolicy {
  /** Of all that a test deletes at its end: an App may have to stop before it is gone. */
  static final Duration CLEAN_UP = Duration.ofMinutes(5);

  /** Of a step that reads and writes once. */
  private static final Duration BRIEF = Duration.ofSeconds(60);

  /** A worker that is gone is noticed after this time: the worker itself sends heartbeats. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(10);

  /** A wait ends by itself when its time is over, and says what it has found last. */
  private static final Duration GRACE = Duration.ofSeconds(30);

  /** Only technical faults come here, such as the loss of a worker: the steps retry the others. */
  private static final RetryOptions RETRY =
      RetryOptions.newBuilder()
          .setInitialInterval(Duration.ofMillis(200))
          .setMaximumInterval(Duration.ofSeconds(10))
          .build();

  private TestPolicy() {}

  /** A step without which a test can neither begin nor end: retried until it succeeds. */
  static ActivityOptions patient(String summary) {
    return ActivityOptions.newBuilder()
        .setTaskQueue(TaskQueues.tests(WorkflowIds.cluster(Workflow.getInfo().getWorkflowId())))
        .setStartToCloseTimeout(BRIEF)
        .setHeartbeatTimeout(HEARTBEAT)
        .setCancellationType(ActivityCancellationType.WAIT_CANCELLATION_COMPLETED)
        .setRetryOptions(RETRY)
        .setSummary(summary)
        .build();
  }

  /**
   * A step that waits.
   *
   * @param longest after which it ends by itself
   */
  static ActivityOptions waiting(String summary, Duration longest) {
    return ActivityOptions.newBuilder(patient(summary))
        .setStartToCloseTimeout(longest.plus(GRACE))
        .setScheduleToCloseTimeout(longest.plus(GRACE))
        .build();
  }

  /**
   * A clean-up: when no worker is there, it waits for one, however long that takes.
   *
   * @param longest after which an attempt ends by itself
   */
  static ActivityOptions cleaningUp(String summary, Duration longest) {
    return ActivityOptions.newBuilder(patient(summary))
        .setStartToCloseTimeout(longest.plus(GRACE))
        .build();
  }
}
