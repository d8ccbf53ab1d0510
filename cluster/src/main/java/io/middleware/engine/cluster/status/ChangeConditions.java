package io.middleware.engine.cluster.status;

import io.middleware.engine.api.App;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.RunState;
import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeProgress.End;
import io.middleware.engine.workflows.port.TaskProgress;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** The conditions that report a change's state. */
final class ChangeConditions {
  /** The types that are written here; the watcher writes others. */
  static final Set<String> TYPES =
      Set.of(
          Reasons.ACCEPTED,
          Reasons.RECONCILING,
          Reasons.STALLED,
          Reasons.PENDING_CHANGE,
          Reasons.PAUSED,
          Reasons.AWAITING_APPROVAL,
          Reasons.ORDER_DEGRADED,
          Reasons.TEARDOWN_BLOCKED,
          Reasons.RESTORED);

  private final App app;
  private final ChangeProgress progress;
  private final Conditions conditions;

  private ChangeConditions(App app, ChangeProgress progress, Conditions conditions) {
    this.app = app;
    this.progress = progress;
    this.conditions = conditions;
  }

  static Conditions of(App app, ChangeProgress progress, Instant now) {
    var before = Optional.ofNullable(app.getStatus());
    var conditions = new Conditions(before, progress.change().generation(), now);
    var change = new ChangeConditions(app, progress, conditions);
    change.accepted();
    progress.end().ifPresentOrElse(change::ended, change::running);
    change.paused();
    change.awaitingApproval();
    change.pendingChange();
    change.orderDegraded();
    change.teardownBlocked();
    change.restored();
    return conditions;
  }

  private void accepted() {
    var rejection = progress.end().filter(end -> end.outcome() == ChangeOutcome.REJECTED);
    if (rejection.isPresent()) {
      conditions.set(Reasons.ACCEPTED, false, reason(rejection.get()), rejection.get().message());
    } else if (progress.planned()) {
      conditions.set(
          Reasons.ACCEPTED,
          true,
          Reasons.SPEC_VALID,
          "generation %d: %s".formatted(progress.change().generation(), tasks()));
    } else {
      conditions.keep(Reasons.ACCEPTED);
    }
  }

  private void running() {
    conditions.set(Reasons.RECONCILING, true, Reasons.CHANGE_IN_PROGRESS, step());
    progress
        .hold()
        .planningFault()
        .ifPresentOrElse(
            fault ->
                conditions.set(
                    Reasons.STALLED,
                    true,
                    fault.reason(),
                    "planning is retried until it succeeds: " + fault.message()),
            this::notStalled);
  }

  /** Nothing is wrong, but the change may wait for somebody. */
  private void notStalled() {
    if (progress.hold().paused()) {
      conditions.set(
          Reasons.STALLED,
          false,
          Reasons.PAUSED_BY_USER,
          "the change continues when spec.paused is set to false");
    } else if (progress.hold().approval().isPresent()) {
      conditions.set(
          Reasons.STALLED, false, Reasons.PLAN_SHOWN, "the change starts when it is approved");
    } else {
      conditions.set(
          Reasons.STALLED, false, Reasons.CHANGE_IN_PROGRESS, "the change is in progress");
    }
  }

  private void ended(End end) {
    var message =
        "the change of generation %d %s"
            .formatted(progress.change().generation(), past(end.outcome()));
    var reason = reasonOf(end.outcome());
    conditions.set(Reasons.RECONCILING, false, reason, message);
    switch (end.outcome()) {
      case REJECTED ->
          conditions.set(
              Reasons.STALLED,
              true,
              reason(end),
              end.message() + "; nothing was changed: " + whatToDo(end));
      case FAILED ->
          conditions.set(
              Reasons.STALLED,
              true,
              reason(end),
              end.message() + "; to continue from here, edit the App" + orRetry());
      case CANCELLED ->
          conditions.set(
              Reasons.STALLED,
              false,
              reason,
              message + "; to continue from here, edit the App" + orRetry());
      case SUCCEEDED, SUPERSEDED, TERMINATED ->
          conditions.set(Reasons.STALLED, false, reason, message);
    }
  }

  private static String whatToDo(End rejection) {
    return Reasons.IN_USE.equals(rejection.reason())
        ? "it is deleted by itself as soon as no other App uses it"
        : "correct the App, or supply what it lacks; it is planned again when its Plugin changes, and after a while";
  }

  private String orRetry() {
    return progress.tasks().stream().anyMatch(SuggestedCommands::isUnsuccessful)
        ? ", or retry the same change: " + SuggestedCommands.retry(progress)
        : "";
  }

  private void paused() {
    if (progress.hold().paused() && progress.end().isEmpty()) {
      conditions.set(
          Reasons.PAUSED,
          true,
          Reasons.PAUSED_BY_USER,
          "the change of generation %d is paused before its next step: set spec.paused to false to continue"
              .formatted(progress.change().generation()));
    }
  }

  private void awaitingApproval() {
    progress
        .hold()
        .approval()
        .ifPresent(
            hash ->
                conditions.set(
                    Reasons.AWAITING_APPROVAL,
                    true,
                    Reasons.PLAN_SHOWN,
                    "status.plan shows what the change would do; to start it: "
                        + SuggestedCommands.approve(progress.change(), hash)));
  }

  private void pendingChange() {
    progress
        .pending()
        .ifPresent(
            pending ->
                conditions.set(
                    Reasons.PENDING_CHANGE,
                    true,
                    Reasons.EDIT_DURING_CHANGE,
                    PendingChangeMessage.of(pending.generation(), progress)));
  }

  /** Nobody follows the order of a change that has ended. */
  private void orderDegraded() {
    if (progress.end().isPresent()) {
      return;
    }
    progress
        .notes()
        .degradedOrder()
        .ifPresent(
            order ->
                conditions.set(Reasons.ORDER_DEGRADED, true, Reasons.AGENTS_UNAVAILABLE, order));
  }

  private void teardownBlocked() {
    if (app.getMetadata().getDeletionTimestamp() == null) {
      return;
    }
    progress.tasks().stream()
        .filter(task -> task.phase() != TaskPhase.DONE && task.fault().isPresent())
        .findFirst()
        .ifPresent(
            task ->
                conditions.set(
                    Reasons.TEARDOWN_BLOCKED,
                    true,
                    task.fault().get().reason(),
                    "task %s: %s".formatted(task.task().id(), task.fault().get().message())));
  }

  /** A stopped App has no data yet. An edit that came meanwhile may want another Backup. */
  private void restored() {
    var spec = app.getSpec();
    if (Conditions.find(Optional.ofNullable(app.getStatus()), Reasons.RESTORED).isPresent()) {
      conditions.keep(Reasons.RESTORED);
    } else if (spec != null
        && spec.restoreFrom() != null
        && spec.state() != RunState.STOPPED
        && app.getMetadata().getGeneration() == progress.change().generation()
        && progress.end().filter(end -> end.outcome() == ChangeOutcome.SUCCEEDED).isPresent()) {
      conditions.set(
          Reasons.RESTORED,
          true,
          Reasons.RESTORE_COMPLETED,
          "the App began with the data of Backup %s; spec.restoreFrom has no effect any more"
              .formatted(spec.restoreFrom().backup()));
    }
  }

  private String step() {
    if (!progress.planned()) {
      return "planning generation " + progress.change().generation();
    }
    if (progress.hold().approval().isPresent()) {
      return "the plan of generation %d is waiting for approval"
          .formatted(progress.change().generation());
    }
    var done = progress.tasks().stream().filter(task -> task.phase() == TaskPhase.DONE).count();
    return TaskStatuses.current(progress)
        .map(ChangeConditions::inProgress)
        .orElse("")
        .concat("%d of %s done".formatted(done, tasks()));
  }

  private static String inProgress(TaskProgress progress) {
    var task = progress.task();
    return "task %s (%s): %s"
        .formatted(
            task.id(),
            task.description(),
            progress.fault().map(fault -> fault.message() + "; ").orElse(""));
  }

  private String tasks() {
    return progress.tasks().size() == 1 ? "1 task" : progress.tasks().size() + " tasks";
  }

  private static String reason(End end) {
    return end.reason() == null || end.reason().isEmpty() ? reasonOf(end.outcome()) : end.reason();
  }

  static String reasonOf(ChangeOutcome outcome) {
    return switch (outcome) {
      case SUCCEEDED -> Reasons.CHANGE_SUCCEEDED;
      case FAILED -> Reasons.CHANGE_FAILED;
      case CANCELLED -> Reasons.CHANGE_CANCELLED;
      case SUPERSEDED -> Reasons.CHANGE_SUPERSEDED;
      case REJECTED -> Reasons.CHANGE_REJECTED;
      case TERMINATED -> Reasons.CHANGE_TERMINATED;
    };
  }

  private static String past(ChangeOutcome outcome) {
    return switch (outcome) {
      case SUCCEEDED -> "has succeeded";
      case FAILED -> "has failed";
      case CANCELLED -> "was cancelled";
      case SUPERSEDED -> "was superseded";
      case REJECTED -> "was rejected";
      case TERMINATED -> "was terminated";
    };
  }
}
