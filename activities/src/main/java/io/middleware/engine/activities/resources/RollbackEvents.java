package io.middleware.engine.activities.resources;

import io.middleware.engine.api.Reasons;
import io.middleware.engine.cluster.status.EngineEvent;
import io.middleware.engine.cluster.status.EventRecorder;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.activity.Activity;
import java.util.List;

/** Tells that a task is being rolled back. */
record RollbackEvents(EventRecorder events) {

  /** In the background, so that the rollback is not delayed. A repeated one is another event. */
  void record(TaskRef task, List<String> groups) {
    var what =
        groups.isEmpty()
            ? "it changed no group"
            : "restoring %s of %s".formatted(String.join(", ", groups), task.component());
    var event =
        new EngineEvent(
            "rollback/%s/%s"
                .formatted(Activity.getExecutionContext().getInfo().getWorkflowRunId(), task.id()),
            EngineEvent.Kind.NORMAL,
            "TaskRollingBack",
            "Rollback",
            "task %s is being rolled back: %s".formatted(task.id(), what));
    Thread.startVirtualThread(() -> events.record(task.change(), event));
  }

  /** Once for each task. */
  void refused(TaskRef task, String why) {
    var note = "task %s is not rolled back: %s".formatted(task.id(), why);
    events.record(
        task.change(),
        new EngineEvent(
            "no-way-back/" + task.id(),
            EngineEvent.Kind.WARNING,
            Reasons.NO_WAY_BACK,
            "Rollback",
            note));
  }
}
