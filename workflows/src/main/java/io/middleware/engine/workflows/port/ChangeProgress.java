package io.middleware.engine.workflows.port;

import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.workflows.port.TaskProgress.Fault;
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
 * @param heldUp why planning has not succeeded yet, though it is tried again and again
 * @param approval hash of the plan that waits to be approved; empty when none does
 * @param paused whether the App asks to hold
 * @param requests what operators asked of this change, and what came of it; the last few
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
    Optional<Fault> heldUp,
    Optional<String> approval,
    boolean paused,
    List<String> requests,
    Optional<End> end) {
  public ChangeProgress {
    tasks = List.copyOf(tasks);
    requests = List.copyOf(requests);
  }

  /** The same, of a change that carries this generation out. */
  public ChangeProgress at(long generation) {
    return new ChangeProgress(
        new ChangeRef(change.namespace(), change.app(), change.uid(), generation, change.runId()),
        startedAt,
        planned,
        tasks,
        pending.filter(waits -> waits > generation),
        pendingSince,
        superseded,
        degradedOrder,
        heldUp,
        approval,
        paused,
        requests,
        end);
  }

  /**
   * @param reason why it was rejected or failed; empty when it succeeded
   * @param message in plain words
   */
  public record End(ChangeOutcome outcome, Instant at, String reason, String message) {}
}
