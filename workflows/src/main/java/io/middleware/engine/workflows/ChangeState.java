package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeProgress.End;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.TaskProgress;
import io.middleware.engine.workflows.port.TaskProgress.Fault;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What a run knows of its change; tells its listener about every difference. */
final class ChangeState {
  private final Map<String, TaskProgress> tasks = new LinkedHashMap<>();
  private final Instant startedAt = now();
  private final Runnable changed;
  private ChangeRef change;
  private boolean planned;
  private long superseded;
  private Optional<Long> pending = Optional.empty();
  private Optional<Instant> pendingSince = Optional.empty();
  private Optional<String> degradedOrder = Optional.empty();
  private Optional<End> end = Optional.empty();

  ChangeState(ChangeRequest request, Runnable changed) {
    this.changed = changed;
    this.superseded = request.superseded();
    this.change =
        new ChangeRef(
            request.namespace(),
            request.app(),
            request.uid(),
            request.generation(),
            Workflow.getInfo().getRunId());
  }

  ChangeRef change() {
    return change;
  }

  /** The plan is made; its first tasks begin at once, and tell of it. */
  void plan(ChangePlan plan) {
    plan.tasks().forEach(task -> tasks.put(task.id(), TaskProgress.of(task)));
    planned = true;
  }

  void carriesOut(long generation) {
    superseded += Math.max(0, generation - change.generation());
    change =
        new ChangeRef(change.namespace(), change.app(), change.uid(), generation, change.runId());
  }

  void move(ChangeTask task, TaskPhase next) {
    tasks.compute(task.id(), (id, progress) -> progress.to(next, now()));
    changed.run();
  }

  void note(ChangeTask task, Fault fault) {
    tasks.compute(task.id(), (id, progress) -> progress.because(fault));
  }

  void pending(ChangeRequest request) {
    pending = Optional.of(request.generation());
    pendingSince = pendingSince.or(() -> Optional.of(now()));
    changed.run();
  }

  void nothingPending() {
    pending = Optional.empty();
    pendingSince = Optional.empty();
  }

  /** The first of them stands for all. */
  void degraded(String order) {
    if (degradedOrder.isEmpty()) {
      degradedOrder = Optional.of(order);
      changed.run();
    }
  }

  void end(ChangeOutcome outcome, String reason, String message) {
    end = Optional.of(new End(outcome, now(), reason, message));
  }

  /** The change ends before its tasks could: planning or the release of the App failed. */
  void fail(TemporalFailure failure) {
    if (!Failures.isCancel(failure)) {
      var fault = Failures.explain(failure);
      end(ChangeOutcome.FAILED, fault.reason(), fault.message());
    }
  }

  /**
   * Decides how the change ended, if it is not decided yet; what nobody began is not begun any
   * more.
   */
  void conclude(boolean cancelled) {
    var unfinished = with(TaskPhase.PENDING).toList();
    unfinished.forEach(
        task -> move(task.task(), cancelled ? TaskPhase.CANCELLED : TaskPhase.SKIPPED));
    if (end.isEmpty()) {
      var failed = with(TaskPhase.FAILED).findFirst();
      if (failed.isPresent()) {
        var fault = failed.get().fault().orElseThrow();
        end(
            outcomeOf(fault),
            fault.reason(),
            "task " + failed.get().task().id() + " failed: " + fault.message());
      } else if (with(TaskPhase.CANCELLED).findAny().isPresent() || (cancelled && !planned)) {
        end(ChangeOutcome.CANCELLED, "Cancelled", "cancelled; what was done stays");
      } else {
        end(ChangeOutcome.SUCCEEDED, "", "");
      }
    }
  }

  private static ChangeOutcome outcomeOf(Fault fault) {
    return FaultKind.SUPERSEDED.label().equals(fault.reason())
        ? ChangeOutcome.SUPERSEDED
        : ChangeOutcome.FAILED;
  }

  ChangeOutcome outcome() {
    return end.orElseThrow().outcome();
  }

  /** One line for people: how the change ended. */
  String conclusion() {
    var message = end.orElseThrow().message();
    return outcome().label() + (message.isEmpty() ? "" : ": " + message);
  }

  boolean areDone(List<ChangeTask> stage) {
    return stage.stream().allMatch(task -> tasks.get(task.id()).phase() == TaskPhase.DONE);
  }

  private Stream<TaskProgress> with(TaskPhase phase) {
    return tasks.values().stream().filter(task -> task.phase() == phase);
  }

  ChangeProgress view() {
    return new ChangeProgress(
        change,
        startedAt,
        planned,
        List.copyOf(tasks.values()),
        pending,
        pendingSince,
        superseded,
        degradedOrder,
        end);
  }

  static Instant now() {
    return Instant.ofEpochMilli(Workflow.currentTimeMillis());
  }
}
