package io.middleware.engine.cluster.status;

import io.middleware.engine.api.change.TaskError;
import io.middleware.engine.api.change.TaskResult;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.FirstOf;
import io.middleware.engine.api.task.RollingPolicy;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.api.task.Timestamp;
import io.middleware.engine.api.task.UndoPolicy;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.TaskProgress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The tasks of a change as the App's status shows them. */
final class TaskStatuses {
  /** In each list of a result; a task may have had 32 000 pods. */
  private static final int MOST_PODS = 500;

  private static final int LONGEST_MESSAGE = 4096;

  private TaskStatuses() {}

  static List<TaskStatus> of(ChangeProgress progress) {
    var plan =
        new ChangePlan(
            progress.change().generation(),
            false,
            progress.tasks().stream().map(TaskProgress::task).toList(),
            new RollingPolicy(1, Duration.ZERO),
            new UndoPolicy(false, false));
    return of(plan, progress.tasks());
  }

  static List<TaskStatus> of(ChangePlan plan, List<TaskProgress> tasks) {
    return tasks.stream().map(task -> of(task, plan.dependencies(task.task()))).toList();
  }

  private static TaskResult result(TaskProgress.Result result) {
    return new TaskResult(
        few(result.done()), few(result.reverted()), few(result.left()), few(result.notReady()));
  }

  private static List<String> few(List<String> pods) {
    return FirstOf.within(pods, MOST_PODS);
  }

  /** The first task that is in progress. */
  static Optional<TaskProgress> current(ChangeProgress progress) {
    return progress.tasks().stream()
        .filter(
            task ->
                task.phase() == TaskPhase.IN_PROGRESS || task.phase() == TaskPhase.RETRY_PENDING)
        .findFirst();
  }

  private static TaskStatus of(TaskProgress progress, List<String> dependencies) {
    var task = progress.task();
    return new TaskStatus(
        task.id(),
        task.type().label(),
        task.description(),
        task.type().priority(),
        task.component(),
        dependencies,
        progress.phase().label(),
        progress.attempts(),
        task.policy().maxRetries(),
        StatusTexts.duration(task.policy().timeout()),
        progress.startedAt().map(Timestamp::of).orElse(null),
        progress.completedAt().map(Timestamp::of).orElse(null),
        progress
            .fault()
            .map(f -> new TaskError(f.reason(), Excerpt.withinBytes(f.message(), LONGEST_MESSAGE)))
            .orElse(null),
        progress.result().map(TaskStatuses::result).orElse(null),
        CheckedTasks.planned(task));
  }
}
