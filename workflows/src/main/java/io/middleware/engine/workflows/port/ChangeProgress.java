package io.middleware.engine.workflows.port;

import io.middleware.engine.api.task.ChangeOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * All that a change's status is made from.
 *
 * @param change with the generation that is carried out
 * @param tasks in the plan's order; empty before the plan is made and when nothing changes
 * @param pending generation that waits for the end of this change
 * @param pendingSince when it was seen
 * @param superseded how many generations were overtaken while waiting
 * @param end how the change ended; empty while it runs
 */
public record ChangeProgress(
    ChangeRef change,
    Instant startedAt,
    boolean planned,
    List<TaskProgress> tasks,
    Optional<Long> pending,
    Optional<Instant> pendingSince,
    long superseded,
    Optional<String> degradedOrder,
    Optional<End> end) {
  public ChangeProgress {
    tasks = List.copyOf(tasks);
  }

  /**
   * @param reason why it was rejected or failed; empty when it succeeded
   * @param message in plain words
   */
  public record End(ChangeOutcome outcome, Instant at, String reason, String message) {}
}
