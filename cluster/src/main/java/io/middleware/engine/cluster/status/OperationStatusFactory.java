package io.middleware.engine.cluster.status;

import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationStatus;
import io.middleware.engine.api.operation.OperationStatusBuilder;
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
    return OperationStatusBuilder.builder()
        .phase(IN_PROGRESS)
        .message("is being planned")
        .done(before.map(OperationStatus::done).orElse(null))
        .appUid(change.uid())
        .workflowId(change.workflowId())
        .runId(change.runId())
        .startedAt(before.map(OperationStatus::startedAt).orElseGet(() -> Timestamp.of(now)))
        .tasks(before.map(OperationStatus::tasks).orElse(null))
        .switchovers(before.map(OperationStatus::switchovers).orElse(null))
        .rebuilds(before.map(OperationStatus::rebuilds).orElse(null))
        .runs(before.map(OperationStatus::runs).orElse(null))
        .build();
  }

  static OperationStatus of(Operation operation, ChangeProgress progress) {
    var before = operation.getStatus();
    var tasks = progress.planned() ? TaskStatuses.of(progress) : before.tasks();
    var end = progress.end();
    var requests = progress.notes().requests();
    return before
        .with()
        .phase(end.map(it -> it.outcome().label()).orElse(IN_PROGRESS))
        .message(Excerpt.withinBytes(message(progress), LONGEST_MESSAGE))
        .reason(end.map(End::reason).filter(reason -> !reason.isEmpty()).orElse(null))
        .done(done(tasks))
        .appUid(progress.change().uid())
        .workflowId(progress.change().workflowId())
        .runId(progress.change().runId())
        .completedAt(end.map(End::at).map(Timestamp::of).orElse(null))
        .tasks(tasks)
        .requests(requests.isEmpty() ? before.requests() : requests)
        .build();
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
