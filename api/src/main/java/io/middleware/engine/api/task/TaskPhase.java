package io.middleware.engine.api.task;

import java.util.EnumSet;
import java.util.Set;

/** The life cycle of a task: only these transitions are possible. */
public enum TaskPhase {
  PENDING("Pending"),
  IN_PROGRESS("InProgress"),
  RETRY_PENDING("RetryPending"),
  DONE("Done"),
  FAILED("Failed"),
  SKIPPED("Skipped"),
  CANCELLED("Cancelled");

  private final String label;

  TaskPhase(String label) {
    this.label = label;
  }

  /** The word in the App's status. */
  public String label() {
    return label;
  }

  /** The phases that may follow this one; the last three only by a manual retry. */
  public Set<TaskPhase> successors() {
    return switch (this) {
      case PENDING -> EnumSet.of(IN_PROGRESS, SKIPPED, CANCELLED);
      case IN_PROGRESS -> EnumSet.of(DONE, FAILED, CANCELLED, RETRY_PENDING);
      case RETRY_PENDING -> EnumSet.of(IN_PROGRESS, FAILED, CANCELLED);
      case DONE -> EnumSet.noneOf(TaskPhase.class);
      case FAILED, SKIPPED, CANCELLED -> EnumSet.of(PENDING);
    };
  }

  /** Whether nothing more happens to the task by itself. */
  public boolean isTerminal() {
    return switch (this) {
      case PENDING, IN_PROGRESS, RETRY_PENDING -> false;
      case DONE, FAILED, SKIPPED, CANCELLED -> true;
    };
  }

  /**
   * The next phase, checked.
   *
   * @throws IllegalStateException when the table has no such move
   */
  public TaskPhase to(TaskPhase next) {
    if (!successors().contains(next)) {
      throw new IllegalStateException("a task cannot go from " + label + " to " + next.label);
    }
    return next;
  }
}
