package io.middleware.engine.watcher.request;

import io.middleware.engine.api.task.PlainText;
import io.temporal.api.enums.v1.PendingActivityState;
import io.temporal.api.failure.v1.Failure;
import io.temporal.api.workflow.v1.PendingActivityInfo;
import io.temporal.client.WorkflowExecutionDescription;

/** An open run that has not begun its request: what Temporal knows of its first step. */
record UnbegunRun(WorkflowExecutionDescription run) {

  /** Why it has not begun, for people; the same as long as nothing changes. */
  String reason() {
    return run.getRawDescription().getPendingActivitiesList().stream()
        .findFirst()
        .map(this::reason)
        .orElseGet(() -> "since %s %s".formatted(run.getStartTime(), noWorker()));
  }

  private String reason(PendingActivityInfo step) {
    var name = step.getActivityType().getName();
    if (step.hasLastFailure()) {
      return "its step %s fails and is retried: %s"
          .formatted(name, PlainText.clean(innermost(step.getLastFailure())));
    }
    return step.getState() == PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED
        ? "for its step %s %s".formatted(name, noWorker())
        : "its step %s has not ended on worker %s: look at that worker's log"
            .formatted(name, PlainText.clean(step.getLastWorkerIdentity()));
  }

  private String noWorker() {
    return "no worker has been free: look whether workers of task queue %s run"
        .formatted(run.getTaskQueue());
  }

  private static String innermost(Failure failure) {
    var cause = failure;
    while (cause.hasCause()) {
      cause = cause.getCause();
    }
    return cause.getMessage();
  }
}
