package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeProgress.End;
import io.middleware.engine.workflows.port.ChangeProgress.Hold;
import io.middleware.engine.workflows.port.ChangeProgress.Notes;
import io.middleware.engine.workflows.port.ChangeProgress.PendingEdit;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.TaskProgress.Fault;
import io.middleware.engine.workflows.port.Work.Edit;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.request.OperationRequest;
import io.middleware.engine.workflows.request.RetryRequest;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a run knows of its change; notifies its listener of every difference. */
final class ChangeState {
  private static final int REQUESTS_KEPT = 10;

  /** A signal can carry a megabyte, and the status must hold what is shown of it. */
  private static final int LONGEST_MESSAGE = 1000;

  private final Instant startedAt = now();
  private final Runnable changed;
  private final ChangeTasks tasks;
  private ChangeRef change;
  private boolean planning;
  private Optional<Fault> planningFault = Optional.empty();
  private Optional<String> approval = Optional.empty();
  private boolean paused;
  private List<String> requests = NextRun.carriedRequests();
  private long superseded;
  private Optional<PendingEdit> pending = Optional.empty();
  private Optional<String> degradedOrder = Optional.empty();
  private Optional<End> end = Optional.empty();

  ChangeState(ChangeRequest request, Runnable changed) {
    this.changed = changed;
    this.tasks = new ChangeTasks(changed);
    this.superseded = request.superseded();
    var target = request.target();
    this.change =
        new ChangeRef(
                target.namespace(),
                target.app(),
                target.uid(),
                request.generation(),
                Workflow.getInfo().getRunId(),
                WorkflowIds.cluster(Workflow.getInfo().getWorkflowId()))
            .of(request.operation().map(OperationRequest::ref));
  }

  ChangeRef change() {
    return change;
  }

  ChangeTasks tasks() {
    return tasks;
  }

  void plan(Planned made, Optional<RetryRequest> retry) {
    planningFault = Optional.empty();
    made.terminated().ifPresent(this::note);
    tasks.plan(made, retry);
  }

  void planning(boolean now) {
    planning = now;
  }

  /** Whether a plan is being made, the first one or another one. */
  boolean isPlanning() {
    return planning;
  }

  /** Planning has failed and is retried. */
  void planningFailed(Fault fault) {
    planningFault = Optional.of(fault);
    changed.run();
  }

  void awaitsApproval(String hash) {
    approval
        .filter(shown -> !shown.equals(hash))
        .ifPresent(shown -> note("plan %s is out of date".formatted(shown)));
    approval = Optional.of(hash);
    changed.run();
  }

  /** The plan needs no further approval and begins. */
  void approved() {
    planningFault = Optional.empty();
    approval = Optional.empty();
    changed.run();
  }

  Optional<String> approval() {
    return approval;
  }

  void paused(boolean now) {
    paused = now;
    changed.run();
  }

  boolean isPaused() {
    return paused;
  }

  /** Adds a line about an operator's request; the oldest line is dropped. */
  void note(String request) {
    var at = now();
    var lines =
        Stream.concat(requests.stream(), Stream.of(Excerpt.of(at + " " + request, LONGEST_MESSAGE)))
            .toList();
    requests = lines.subList(Math.max(0, lines.size() - REQUESTS_KEPT), lines.size());
    changed.run();
  }

  void carriesOut(long generation) {
    if (change.work() instanceof Edit edit) {
      superseded += Math.max(0, generation - edit.generation());
    }
    change = change.at(generation);
  }

  void pending(ChangeRequest request) {
    var since = pending.map(PendingEdit::since).orElseGet(ChangeState::now);
    pending = Optional.of(new PendingEdit(request.generation(), since));
    changed.run();
  }

  void nothingPending() {
    pending = Optional.empty();
  }

  /** Only the first degraded order is kept, as an example. */
  void degraded(String order) {
    if (degradedOrder.isEmpty() && order != null) {
      degradedOrder = Optional.of(Excerpt.of(order, LONGEST_MESSAGE));
      changed.run();
    }
  }

  void end(ChangeOutcome outcome, String reason, String message) {
    var at = now();
    end = Optional.of(new End(outcome, at, reason, Excerpt.of(message, LONGEST_MESSAGE)));
  }

  /** The change ends before its tasks do: planning or the release of the App failed. */
  void fail(TemporalFailure failure) {
    if (!FailureCauses.isCancel(failure)) {
      var fault = FailureCauses.explain(failure);
      end(ChangeOutcome.FAILED, fault.reason(), fault.message());
    }
  }

  boolean hasEnded() {
    return end.isPresent();
  }

  /**
   * Decides how the change ended, unless that is decided already; tasks that have not begun never
   * begin.
   *
   * @param stopped why the work was stopped; empty when it was not
   */
  void conclude(Optional<StopReason> stopped) {
    approval = Optional.empty();
    stopped.ifPresent(stop -> tasks.cancelAllPending(stop.fault()));
    tasks.skipAllPending();
    if (end.isEmpty()) {
      var conclusion = new ChangeConclusion(tasks).after(stopped);
      end(conclusion.outcome(), conclusion.reason(), conclusion.message());
    }
  }

  ChangeOutcome outcome() {
    return end.orElseThrow().outcome();
  }

  String reason() {
    return end.orElseThrow().reason();
  }

  /** How the change ended, in one line for people. */
  String conclusion() {
    var message = end.orElseThrow().message();
    return outcome().label() + (message.isEmpty() ? "" : ": " + message);
  }

  private static Instant now() {
    return Instant.ofEpochMilli(Workflow.currentTimeMillis());
  }

  ChangeProgress progress() {
    return new ChangeProgress(
        change,
        startedAt,
        tasks.arePlanned(),
        tasks.all(),
        pending,
        new Hold(planningFault, approval, paused),
        new Notes(superseded, degradedOrder, requests),
        end);
  }
}
