package io.middleware.engine.workflows.port;

import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.TaskPhase;
import java.time.Instant;
import java.util.Optional;

/**
 * How far a task is.
 *
 * @param startedAt of its first attempt
 * @param fault of its last attempt
 */
public record TaskProgress(
    ChangeTask task,
    TaskPhase phase,
    int attempts,
    Optional<Instant> startedAt,
    Optional<Instant> completedAt,
    Optional<Fault> fault) {

  /** A task nobody has begun. */
  public static TaskProgress of(ChangeTask task) {
    return new TaskProgress(
        task, TaskPhase.PENDING, 0, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** The same task in its next phase. */
  public TaskProgress to(TaskPhase next, Instant now) {
    var begins = next == TaskPhase.IN_PROGRESS;
    return new TaskProgress(
        task,
        phase.to(next),
        begins ? attempts + 1 : attempts,
        begins && startedAt.isEmpty() ? Optional.of(now) : startedAt,
        next.isTerminal() ? Optional.of(now) : Optional.empty(),
        next == TaskPhase.DONE ? Optional.empty() : fault);
  }

  /** The same task with what went wrong. */
  public TaskProgress because(Fault cause) {
    return new TaskProgress(task, phase, attempts, startedAt, completedAt, Optional.of(cause));
  }

  /**
   * @param reason a documented reason or a fault kind
   * @param message in plain words
   */
  public record Fault(String reason, String message) {}
}
