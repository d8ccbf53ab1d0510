package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeProgress.End;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.TaskProgress.Fault;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.request.RetryRequest;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a run knows of its change; tells its listener about every difference. */
final class ChangeState {
  private static final int REQUESTS_KEPT = 10;

  /** Whoever may signal could send a megabyte; the status has to carry it. */
  private static final int LONGEST_WORDS = 1000;

  private final Instant startedAt = now();
  private final Runnable changed;
  private final ChangeTasks tasks;
  private ChangeRef change;
  private Optional<Fault> heldUp = Optional.empty();
  private Optional<String> approval = Optional.empty();
  private boolean paused;
  private List<String> requests = List.of();
  private long superseded;
  private Optional<Long> pending = Optional.empty();
  private Optional<Instant> pendingSince = Optional.empty();
  private Optional<String> degradedOrder = Optional.empty();
  private Optional<End> end = Optional.empty();

  ChangeState(ChangeRequest request, Runnable changed) {
    this.changed = changed;
    this.tasks = new ChangeTasks(changed);
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

  ChangeTasks tasks() {
    return tasks;
  }

  void plan(Planned made, Optional<RetryRequest> retry) {
    heldUp = Optional.empty();
    made.terminated().ifPresent(this::note);
    tasks.plan(made, retry);
  }

  /** Planning is tried again later. */
  void heldUp(Fault fault) {
    heldUp = Optional.of(fault);
    changed.run();
  }

  void awaitsApproval(String hash) {
    approval
        .filter(shown -> !shown.equals(hash))
        .ifPresent(shown -> note("plan %s would do something else by now".formatted(shown)));
    approval = Optional.of(hash);
    changed.run();
  }

  void awaitsApprovalNoMore() {
    heldUp = Optional.empty();
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

  /** One more line about what operators asked for; the oldest goes. */
  void note(String request) {
    var at = now();
    var lines = Stream.concat(requests.stream(), Stream.of(shortened(at + " " + request))).toList();
    requests = lines.subList(Math.max(0, lines.size() - REQUESTS_KEPT), lines.size());
    changed.run();
  }

  void carriesOut(long generation) {
    superseded += Math.max(0, generation - change.generation());
    change =
        new ChangeRef(change.namespace(), change.app(), change.uid(), generation, change.runId());
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
    if (degradedOrder.isEmpty() && order != null) {
      degradedOrder = Optional.of(shortened(order));
      changed.run();
    }
  }

  void end(ChangeOutcome outcome, String reason, String message) {
    var at = now();
    end = Optional.of(new End(outcome, at, reason, shortened(message)));
  }

  /** The change ends before its tasks could: planning or the release of the App failed. */
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
   * Decides how the change ended, if it is not decided yet; what nobody began is not begun any
   * more.
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

  /** One line for people: how the change ended. */
  String conclusion() {
    var message = end.orElseThrow().message();
    return outcome().label() + (message.isEmpty() ? "" : ": " + message);
  }

  private static String shortened(String words) {
    return words.length() > LONGEST_WORDS ? words.substring(0, LONGEST_WORDS) + "…" : words;
  }

  private static Instant now() {
    return Instant.ofEpochMilli(Workflow.currentTimeMillis());
  }

  ChangeProgress view() {
    return new ChangeProgress(
        change,
        startedAt,
        tasks.arePlanned(),
        tasks.all(),
        pending,
        pendingSince,
        superseded,
        degradedOrder,
        heldUp,
        approval,
        paused,
        requests,
        end);
  }
}
