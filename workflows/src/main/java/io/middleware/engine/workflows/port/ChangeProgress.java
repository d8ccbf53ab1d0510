package io.middleware.engine.workflows.port;

import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.workflows.port.TaskProgress.Fault;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Everything a change's status is made from.
 *
 * @param change with the generation that is carried out
 * @param tasks in the plan's order; empty before the plan is made and when nothing changes
 * @param pending the edit that waits for the end of this change
 * @param hold what keeps the change from going on
 * @param notes what else people should know
 * @param end how the change ended; empty while it runs
 */
public record ChangeProgress(
    ChangeRef change,
    Instant startedAt,
    boolean planned,
    List<TaskProgress> tasks,
    Optional<PendingEdit> pending,
    Hold hold,
    Notes notes,
    Optional<End> end)
    implements ChangeStep {
  public ChangeProgress {
    tasks = List.copyOf(tasks);
  }

  @Override
  public boolean fromAppWorkflow() {
    return true;
  }

  /** The same progress, of a change that carries out this generation. */
  public ChangeProgress at(long generation) {
    return new ChangeProgress(
        change.at(generation),
        startedAt,
        planned,
        tasks,
        pending.filter(edit -> edit.generation() > generation),
        hold,
        notes,
        end);
  }

  /**
   * An edit of the App that the next run carries out.
   *
   * @param since when the first such edit arrived
   */
  public record PendingEdit(long generation, Instant since) {}

  /**
   * @param planningFault why planning has not succeeded yet; it is retried
   * @param approval hash of the plan that waits for approval
   * @param paused whether {@code spec.paused} is set
   */
  public record Hold(Optional<Fault> planningFault, Optional<String> approval, boolean paused) {
    /** Nothing keeps the change from going on. */
    public static final Hold NONE = new Hold(Optional.empty(), Optional.empty(), false);
  }

  /**
   * @param superseded how many generations were never carried out because this one followed them
   * @param degradedOrder why an order was not the agents' own
   * @param requests what operators requested of this change, and the results; the last few
   */
  public record Notes(long superseded, Optional<String> degradedOrder, List<String> requests) {
    /** Nothing to note. */
    public static final Notes NONE = new Notes(0, Optional.empty(), List.of());

    public Notes {
      requests = List.copyOf(requests);
    }
  }

  /**
   * @param reason why it was rejected or failed; empty when it succeeded
   * @param message in plain words
   */
  public record End(ChangeOutcome outcome, Instant at, String reason, String message) {}
}
