package io.middleware.engine.workflows.temporal;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.HeartbeatContract;
import io.middleware.engine.workflows.port.TaskQueues;
import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.common.Priority;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;

/**
 * Timeouts and retries of single steps. They cover only short technical faults, such as a restart
 * of the API server (about 80 s of retries). The user's limit is the task's timeout, a timer of the
 * root workflow.
 */
public final class ActivityPolicy {
  private static final Duration STEP = Duration.ofSeconds(60);

  /** A local activity cannot be cancelled, so its attempts together are bounded as well. */
  private static final Duration BRIEF = Duration.ofSeconds(90);

  private static final Duration LONGEST_PLAN = Duration.ofMinutes(10);
  private static final Duration LONGEST_WAIT = Duration.ofDays(7);

  private static final int STEP_ATTEMPTS = 20;
  private static final RetryOptions UNLIMITED =
      RetryOptions.newBuilder()
          .setInitialInterval(Duration.ofMillis(200))
          .setMaximumInterval(Duration.ofSeconds(5))
          .build();

  /** The excluded kinds take longer to pass: the task's own retry shows them in the status. */
  private static final RetryOptions RETRY =
      UNLIMITED.toBuilder()
          .setMaximumAttempts(STEP_ATTEMPTS)
          .setDoNotRetry(FaultKind.CONFLICT.label(), FaultKind.AGENTS_UNAVAILABLE.label())
          .build();

  private static final RetryOptions QUESTION =
      UNLIMITED.toBuilder()
          .setDoNotRetry(FaultKind.CONFLICT.label(), FaultKind.AGENTS_UNAVAILABLE.label())
          .build();

  private ActivityPolicy() {}

  private static String cluster() {
    return WorkflowIds.cluster(Workflow.getInfo().getWorkflowId());
  }

  /** A step that reads and writes. */
  public static ActivityOptions step(String summary) {
    return ActivityOptions.newBuilder()
        .setTaskQueue(TaskQueues.engine(cluster()))
        .setStartToCloseTimeout(STEP)
        .setHeartbeatTimeout(HeartbeatContract.TIMEOUT)
        .setCancellationType(ActivityCancellationType.WAIT_CANCELLATION_COMPLETED)
        .setRetryOptions(RETRY)
        .setPriority(TaskPriority.BEGUN)
        .setSummary(summary)
        .build();
  }

  /** A plan of many groups takes its time; with few attempts, as its caller has its own retries. */
  public static ActivityOptions plan(ChangeRef change, int attempts) {
    return ActivityOptions.newBuilder(step("plan " + change.subject()))
        .setTaskQueue(
            change.firstOfItsApp() ? TaskQueues.newApps(cluster()) : TaskQueues.plans(cluster()))
        .setStartToCloseTimeout(LONGEST_PLAN)
        .setPriority(Priority.getDefaultInstance())
        .setRetryOptions(RETRY.toBuilder().setMaximumAttempts(attempts).build())
        .build();
  }

  /** A step without which no change can begin or end: retried until it succeeds or is refused. */
  public static ActivityOptions patient(String summary) {
    return ActivityOptions.newBuilder(step(summary)).setRetryOptions(UNLIMITED).build();
  }

  /** A step that waits for the cluster until it is cancelled. */
  public static ActivityOptions waiting(String summary) {
    return ActivityOptions.newBuilder(step(summary))
        .setTaskQueue(TaskQueues.waiting(cluster()))
        .setStartToCloseTimeout(LONGEST_WAIT)
        .build();
  }

  /** A step that waits for the user, for as long as he likes. */
  public static ActivityOptions resting(String summary) {
    return ActivityOptions.newBuilder(waiting(summary))
        .setHeartbeatTimeout(HeartbeatContract.RESTING_TIMEOUT)
        .build();
  }

  /**
   * A step beside all others, which ends with them: nobody waits for its end, and it goes on when
   * the API server is away for long.
   */
  public static ActivityOptions background(String summary) {
    return ActivityOptions.newBuilder(resting(summary))
        .setTaskQueue(TaskQueues.checks(cluster()))
        .setCancellationType(ActivityCancellationType.TRY_CANCEL)
        .setRetryOptions(UNLIMITED)
        .build();
  }

  /**
   * A question that waits for agents. It is tried again, out of turn, when too many questions to
   * agents of one Plugin are open.
   */
  public static ActivityOptions question(String summary) {
    return ActivityOptions.newBuilder(waiting(summary))
        .setTaskQueue(TaskQueues.orders(cluster()))
        .setRetryOptions(QUESTION)
        .build();
  }

  /** A short look-up or a write of the status: its result is its only event. */
  public static LocalActivityOptions brief(String summary) {
    return local(summary, RETRY);
  }

  /** The same without retries, for a caller that handles its failure. */
  public static LocalActivityOptions once(String summary) {
    return local(summary, RetryOptions.newBuilder().setMaximumAttempts(1).build());
  }

  private static LocalActivityOptions local(String summary, RetryOptions retry) {
    return LocalActivityOptions.newBuilder()
        .setScheduleToCloseTimeout(BRIEF)
        .setStartToCloseTimeout(STEP)
        .setRetryOptions(retry)
        .setDoNotIncludeArgumentsIntoMarker(true)
        .setSummary(summary)
        .build();
  }
}
