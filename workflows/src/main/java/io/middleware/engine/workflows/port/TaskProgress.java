package io.middleware.engine.workflows.port;

import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.TaskPhase;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How far a task is.
 *
 * @param startedAt of its first attempt
 * @param fault of its last attempt
 * @param result what became of its pods after a cancel or a rollback
 */
public record TaskProgress(
    ChangeTask task,
    TaskPhase phase,
    int attempts,
    Optional<Instant> startedAt,
    Optional<Instant> completedAt,
    Optional<Fault> fault,
    Optional<Result> result) {

  /** A task that has not begun. */
  public static TaskProgress of(ChangeTask task) {
    return new TaskProgress(
        task,
        TaskPhase.PENDING,
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** The same task in its next phase; a task that is retried begins anew. */
  public TaskProgress to(TaskPhase next, Instant now) {
    if (next == TaskPhase.PENDING) {
      phase.to(next);
      return of(task);
    }
    var begins = next == TaskPhase.IN_PROGRESS;
    return new TaskProgress(
        task,
        phase.to(next),
        begins ? attempts + 1 : attempts,
        begins && startedAt.isEmpty() ? Optional.of(now) : startedAt,
        next.isTerminal() ? Optional.of(now) : Optional.empty(),
        next == TaskPhase.DONE ? Optional.empty() : fault,
        result);
  }

  /** The same task with what went wrong. */
  public TaskProgress because(Fault cause) {
    return new TaskProgress(
        task, phase, attempts, startedAt, completedAt, Optional.of(cause), result);
  }

  /** The same task with what became of its pods. */
  public TaskProgress with(Result pods) {
    return new TaskProgress(
        task, phase, attempts, startedAt, completedAt, fault, Optional.of(pods));
  }

  /**
   * @param reason a documented reason or a fault kind
   * @param message in plain words
   */
  public record Fault(String reason, String message) {}

  /**
   * Pods by name.
   *
   * @param done changed by the task, and they stay so
   * @param reverted changed by the task and rolled back
   * @param left as they were before the task
   */
  public record Result(List<String> done, List<String> reverted, List<String> left) {
    public Result {
      done = List.copyOf(done);
      reverted = List.copyOf(reverted);
      left = List.copyOf(left);
    }
  }
}
