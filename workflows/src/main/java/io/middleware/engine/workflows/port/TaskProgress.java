package io.middleware.engine.workflows.port;

import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.TaskPhase;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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

  /** The same task in its next phase; a task that is retried starts again. */
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
   * @param done changed by the task, and they stay so; ready
   * @param reverted changed by the task and rolled back; ready
   * @param left as they were before the task
   * @param notReady changed by the task or its rollback, and not ready when it ended
   */
  public record Result(
      List<String> done, List<String> reverted, List<String> left, List<String> notReady) {
    public Result {
      done = List.copyOf(done);
      reverted = List.copyOf(reverted);
      left = List.copyOf(left);
      notReady = notReady == null ? List.of() : List.copyOf(notReady);
    }

    /** Of pods that are all ready. */
    public Result(List<String> done, List<String> reverted, List<String> left) {
      this(done, reverted, left, List.of());
    }

    /** The same, knowing which of these pods are not ready. */
    public Result without(List<String> unready) {
      return new Result(
          done.stream().filter(pod -> !unready.contains(pod)).toList(),
          reverted.stream().filter(pod -> !unready.contains(pod)).toList(),
          left,
          Stream.concat(done.stream(), reverted.stream()).filter(unready::contains).toList());
    }
  }
}
