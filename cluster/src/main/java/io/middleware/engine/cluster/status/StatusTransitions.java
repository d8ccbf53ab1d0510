package io.middleware.engine.cluster.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.change.ChangeStatus;
import io.middleware.engine.api.change.PendingChange;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.cluster.status.EngineEvent.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The events between two statuses of an App; each has its own key. */
final class StatusTransitions {
  private static final String ACTION = "Change";
  private static final Set<String> UNWANTED =
      Set.of(ChangeOutcome.FAILED.label(), ChangeOutcome.TERMINATED.label());

  private final AppStatus after;
  private final Optional<AppStatus> before;
  private final List<EngineEvent> events = new ArrayList<>();

  private StatusTransitions(Optional<AppStatus> before, AppStatus after) {
    this.before = before;
    this.after = after;
  }

  static List<EngineEvent> between(AppStatus before, AppStatus after) {
    var transitions = new StatusTransitions(Optional.ofNullable(before), after);
    transitions.acceptance();
    transitions.approval();
    transitions.tasks();
    transitions.pending();
    transitions.degradedOrder();
    transitions.end();
    return transitions.events;
  }

  private void acceptance() {
    var condition = Conditions.find(Optional.of(after), Reasons.ACCEPTED);
    var old = Conditions.find(before, Reasons.ACCEPTED);
    if (condition.isEmpty()
        || condition.map(StatusTransitions::version).equals(old.map(StatusTransitions::version))) {
      return;
    }
    var accepted = "True".equals(condition.get().getStatus());
    add(
        "verdict",
        accepted ? Kind.NORMAL : Kind.WARNING,
        accepted ? "ChangePlanned" : Reasons.CHANGE_REJECTED,
        accepted
            ? condition.get().getMessage()
            : condition.get().getReason() + ": " + condition.get().getMessage());
  }

  private static List<Object> version(Condition condition) {
    return List.of(
        condition.getStatus(), Objects.requireNonNullElse(condition.getObservedGeneration(), 0L));
  }

  private void approval() {
    var old = Conditions.find(before, Reasons.AWAITING_APPROVAL).map(Condition::getMessage);
    Conditions.find(Optional.of(after), Reasons.AWAITING_APPROVAL)
        .map(Condition::getMessage)
        .filter(message -> !old.equals(Optional.of(message)))
        .ifPresent(message -> add("approval", Kind.NORMAL, Reasons.AWAITING_APPROVAL, message));
  }

  private void tasks() {
    for (var task : after.tasks()) {
      var old = old(task);
      var attempts =
          old.filter(one -> Objects.equals(one.startedAt(), task.startedAt()))
              .map(TaskStatus::attempts)
              .orElse(0); // a retry counts from zero
      var status = old.map(TaskStatus::status).orElse(TaskPhase.PENDING.label());
      var begun = TaskPhase.IN_PROGRESS.label();
      if (task.attempts() > attempts && !begun.equals(task.status())) {
        task(task, begun);
      }
      if (task.attempts() > attempts || !status.equals(task.status())) {
        task(task, task.status());
      }
    }
  }

  private Optional<TaskStatus> old(TaskStatus task) {
    return before
        .map(AppStatus::tasks)
        .flatMap(all -> all.stream().filter(one -> task.id().equals(one.id())).findFirst())
        .filter(one -> sameRun());
  }

  private boolean sameRun() {
    return before
        .map(AppStatus::change)
        .map(ChangeStatus::runId)
        .filter(after.change().runId()::equals)
        .isPresent();
  }

  private void task(TaskStatus task, String status) {
    var failed = TaskPhase.FAILED.label().equals(status);
    var retried = TaskPhase.RETRY_PENDING.label().equals(status);
    var goesOn = Set.of(TaskPhase.IN_PROGRESS.label(), TaskPhase.DONE.label()).contains(status);
    var cause =
        !goesOn && task.error() != null
            ? ": " + task.error().reason() + ": " + task.error().message()
            : "";
    var attempt =
        task.attempts() > 1 && !TaskPhase.DONE.label().equals(status)
            ? " (attempt %d of %d)".formatted(task.attempts(), task.maxRetries())
            : "";
    add(
        "%s/%s/%d/%s".formatted(task.id(), status, task.attempts(), task.startedAt()),
        failed || retried ? Kind.WARNING : Kind.NORMAL,
        "Task" + status,
        "task %s%s: %s%s".formatted(task.id(), attempt, task.description(), cause));
  }

  private void pending() {
    var pending = Optional.ofNullable(after.pendingChange()).map(PendingChange::generation);
    var old = before.map(AppStatus::pendingChange).map(PendingChange::generation);
    if (pending.isEmpty() || pending.equals(old)) {
      return;
    }
    Conditions.find(Optional.of(after), Reasons.PENDING_CHANGE)
        .map(Condition::getMessage)
        .ifPresent(
            message ->
                add("pending/" + pending.get(), Kind.NORMAL, Reasons.PENDING_CHANGE, message));
  }

  private void degradedOrder() {
    var old = Conditions.find(before, Reasons.ORDER_DEGRADED).map(Condition::getMessage);
    Conditions.find(Optional.of(after), Reasons.ORDER_DEGRADED)
        .map(Condition::getMessage)
        .filter(message -> !sameRun() || !old.equals(Optional.of(message)))
        .ifPresent(
            message ->
                add(
                    "order/" + Integer.toHexString(message.hashCode()),
                    Kind.WARNING,
                    Reasons.ORDER_DEGRADED,
                    message));
  }

  private void end() {
    var outcome = after.change().outcome();
    var old =
        sameRun() ? before.map(AppStatus::change).map(ChangeStatus::outcome) : Optional.empty();
    if (outcome == null || old.isPresent() || ChangeOutcome.REJECTED.label().equals(outcome)) {
      return;
    }
    var message = after.change().message();
    add(
        "end",
        UNWANTED.contains(outcome) ? Kind.WARNING : Kind.NORMAL,
        reason(outcome),
        "generation %d: %s".formatted(after.change().generation(), outcome.toLowerCase(Locale.ROOT))
            + (message == null ? "" : ": " + message));
  }

  private static String reason(String outcome) {
    return Arrays.stream(ChangeOutcome.values())
        .filter(one -> one.label().equals(outcome))
        .findFirst()
        .map(ChangeConditions::reasonOf)
        .orElseThrow();
  }

  private void add(String key, Kind kind, String reason, String note) {
    var change = after.change();
    events.add(
        new EngineEvent(
            change.runId() + "/" + change.generation() + "/" + key, kind, reason, ACTION, note));
  }
}
