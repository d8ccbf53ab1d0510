package io.middleware.engine.cluster.status;

import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationStatus;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.api.task.Timestamp;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeProgress.End;
import io.middleware.engine.workflows.port.ChangeRef;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Makes the status of an Operation, as a pure function of facts. */
final class OperationStatusFactory {
  private static final String IN_PROGRESS = "InProgress";
  private static final int LONGEST_MESSAGE = 16_384;

  private OperationStatusFactory() {}

  /** A run begins it, or goes on with it. */
  static OperationStatus begun(Operation operation, ChangeRef change, Instant now) {
    var before = Optional.ofNullable(operation.getStatus());
    return new OperationStatus(
        IN_PROGRESS,
        "is being planned",
        null,
        before.map(OperationStatus::done).orElse(null),
        change.uid(),
        change.workflowId(),
        change.runId(),
        before.map(OperationStatus::startedAt).orElseGet(() -> Timestamp.of(now)),
        null,
        before.map(OperationStatus::tasks).orElse(null),
        null,
        before.map(OperationStatus::switchovers).orElse(null),
        before.map(OperationStatus::rebuilds).orElse(null),
        before.map(OperationStatus::runs).orElse(null));
  }

  static OperationStatus of(Operation operation, ChangeProgress progress) {
    var before = operation.getStatus();
    var tasks = progress.planned() ? TaskStatuses.of(progress) : before.tasks();
    var end = progress.end();
    var requests = progress.notes().requests();
    return new OperationStatus(
        end.map(it -> it.outcome().label()).orElse(IN_PROGRESS),
        Excerpt.withinBytes(message(progress), LONGEST_MESSAGE),
        end.map(End::reason).filter(reason -> !reason.isEmpty()).orElse(null),
        done(tasks),
        progress.change().uid(),
        progress.change().workflowId(),
        progress.change().runId(),
        before.startedAt(),
        end.map(End::at).map(Timestamp::of).orElse(null),
        tasks,
        requests.isEmpty() ? before.requests() : requests,
        before.switchovers(),
        before.rebuilds(),
        before.runs());
  }

  private static String done(List<TaskStatus> tasks) {
    if (tasks == null) {
      return null;
    }
    var done = tasks.stream().filter(task -> TaskPhase.DONE.label().equals(task.status())).count();
    return done + "/" + tasks.size();
  }

  private static String message(ChangeProgress progress) {
    if (progress.end().isPresent()) {
      return progress.end().map(End::message).orElse("");
    }
    if (progress.hold().planningFault().isPresent()) {
      return "planning is retried until it succeeds: "
          + progress.hold().planningFault().get().message();
    }
    if (progress.hold().paused()) {
      return "paused before its next step: spec.paused of the App is true";
    }
    return TaskStatuses.current(progress)
        .map(
            task ->
                task.fault()
                    .map(fault -> task.task().description() + ": " + fault.message())
                    .orElse(task.task().description()))
        .orElse("");
  }
}
