package io.middleware.engine.cluster.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.change.ChangeStatus;
import io.middleware.engine.api.change.ChangeStatusBuilder;
import io.middleware.engine.api.change.PendingChange;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.Timestamp;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeProgress.End;
import io.middleware.engine.workflows.port.ChangeProgress.PendingEdit;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.port.TaskProgress;
import io.middleware.engine.workflows.port.Work.Edit;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes the change's part of an App's status, as a pure function of facts. The watcher writes the
 * rest: phase, readiness and health.
 */
public final class AppStatusFactory {
  private static final int LONGEST_MESSAGE = 16_384;
  private static final int LONGEST_REQUEST = 1_024;

  private AppStatusFactory() {}

  /**
   * @param app as it is now, with its present status
   */
  public static AppStatus of(App app, ChangeProgress progress, Instant now) {
    var before = Optional.ofNullable(app.getStatus());
    var generation = progress.change().generation();
    var ended = progress.end().isPresent();
    return part(
        ended ? Long.valueOf(generation) : before.map(AppStatus::observedGeneration).orElse(null),
        Math.max(generation, progress.pending().map(PendingEdit::generation).orElse(generation)),
        change(before, progress),
        tasks(before, progress),
        progress.pending().map(AppStatusFactory::pending).orElse(null),
        ChangeConditions.of(app, progress, now).all());
  }

  /** The same status, with the run lock held by this change's run: an open change. */
  public static AppStatus locked(App app, ChangeRef change) {
    var before =
        Optional.ofNullable(app.getStatus())
            .map(AppStatusFactory::partOf)
            .orElseGet(() -> part(null, change.generation(), null, List.of(), null, List.of()));
    return switch (change.work()) {
      case Edit edit -> locked(before, change);
      case OperationRef operation -> OperationInApp.begun(before, operation, change.runId());
    };
  }

  private static AppStatus locked(AppStatus before, ChangeRef change) {
    var held = Optional.ofNullable(before.change());
    return with(
        before,
        ChangeStatusBuilder.builder()
            .generation(change.generation())
            .workflowId(change.workflowId())
            .runId(change.runId())
            .startedAt(held.map(ChangeStatus::startedAt).orElse(null))
            .currentTask(held.map(ChangeStatus::currentTask).orElse(null))
            .build());
  }

  /** The same status, with the end of its run, which was terminated. */
  public static AppStatus terminated(App app, ChangeRef next, Instant now) {
    var before = partOf(app.getStatus());
    var interrupted = before.change();
    return with(
        before,
        interrupted
            .with()
            .completedAt(Timestamp.of(now))
            .outcome(ChangeOutcome.TERMINATED.label())
            .message(
                "run %s of generation %d was terminated or reset before it ended; run %s continues from there"
                    .formatted(interrupted.runId(), interrupted.generation(), next.runId()))
            .currentTask(null)
            .progress(null)
            .build());
  }

  /**
   * The same status with this progress of an action.
   *
   * @param message null removes it
   */
  static AppStatus withProgress(AppStatus status, String message) {
    var before = partOf(status);
    return before.operation() == null
        ? with(before, before.change().withProgress(message))
        : OperationInApp.withProgress(before, message);
  }

  /** The tasks of a plan before any of them has begun. */
  public static List<TaskStatus> tasks(ChangePlan plan) {
    return TaskStatuses.of(plan, plan.tasks().stream().map(TaskProgress::of).toList());
  }

  /** The part of a whole status that this factory makes. */
  public static AppStatus partOf(AppStatus status) {
    return part(
            status.observedGeneration(),
            status.acceptedGeneration(),
            status.change(),
            Objects.requireNonNullElse(status.tasks(), List.of()),
            status.pendingChange(),
            status.conditions() == null
                ? List.of()
                : status.conditions().stream()
                    .filter(condition -> ChangeConditions.TYPES.contains(condition.getType()))
                    .toList())
        .withOperation(status.operation());
  }

  private static AppStatus with(AppStatus before, ChangeStatus change) {
    return before.with().change(change).operation(null).build();
  }

  static AppStatus part(
      Long observed,
      Long accepted,
      ChangeStatus change,
      List<TaskStatus> tasks,
      PendingChange pending,
      List<Condition> conditions) {
    var sorted = conditions.stream().sorted(Comparator.comparing(Condition::getType)).toList();
    return AppStatusBuilder.builder()
        .observedGeneration(observed)
        .acceptedGeneration(accepted)
        .change(change)
        .tasks(tasks)
        .pendingChange(pending)
        .conditions(sorted)
        .build();
  }

  /** Until there is a plan, the tasks of an earlier run of the generation stay: for retries. */
  private static List<TaskStatus> tasks(Optional<AppStatus> before, ChangeProgress progress) {
    return before
        .filter(status -> !progress.planned() && status.change() != null && status.tasks() != null)
        .filter(status -> isOf(progress.change().generation(), status.change()))
        .map(AppStatus::tasks)
        .orElseGet(() -> checked(before, progress));
  }

  private static List<TaskStatus> checked(Optional<AppStatus> before, ChangeProgress progress) {
    var old =
        before
            .filter(status -> status.change() != null)
            .filter(status -> isOf(progress.change().generation(), status.change()))
            .map(AppStatus::tasks);
    return TaskStatuses.of(progress).stream().map(task -> CheckedTasks.keeping(old, task)).toList();
  }

  private static boolean isOf(long generation, ChangeStatus change) {
    return change.generation() != null && change.generation() == generation;
  }

  private static ChangeStatus change(Optional<AppStatus> before, ChangeProgress progress) {
    var change = progress.change();
    return ChangeStatusBuilder.builder()
        .generation(change.generation())
        .workflowId(change.workflowId())
        .runId(change.runId())
        .startedAt(startedAt(before, progress))
        .completedAt(progress.end().map(End::at).map(Timestamp::of).orElse(null))
        .outcome(progress.end().map(end -> end.outcome().label()).orElse(null))
        .message(message(progress))
        .currentTask(
            TaskStatuses.current(progress)
                .map(TaskProgress::task)
                .map(ChangeTask::id)
                .filter(id -> progress.end().isEmpty())
                .orElse(null))
        .requests(requests(progress))
        .build();
  }

  private static List<String> requests(ChangeProgress progress) {
    return progress.notes().requests().isEmpty()
        ? null
        : progress.notes().requests().stream()
            .map(line -> Excerpt.withinBytes(line, LONGEST_REQUEST))
            .toList();
  }

  /** Acquiring the run lock wrote it before the run's first report. */
  private static String startedAt(Optional<AppStatus> before, ChangeProgress progress) {
    return before
        .map(AppStatus::change)
        .filter(change -> progress.change().runId().equals(change.runId()))
        .map(ChangeStatus::startedAt)
        .orElseGet(() -> Timestamp.of(progress.startedAt()));
  }

  private static String message(ChangeProgress progress) {
    var parts =
        Stream.of(
                progress.end().map(End::message).orElse(""),
                superseded(progress.notes().superseded()))
            .filter(part -> part != null && !part.isEmpty())
            .collect(Collectors.joining("; "));
    return parts.isEmpty() ? null : Excerpt.withinBytes(parts, LONGEST_MESSAGE);
  }

  private static String superseded(long edits) {
    if (edits == 0) {
      return "";
    }
    return edits == 1
        ? "1 edit in between was superseded"
        : edits + " edits in between were superseded";
  }

  static PendingChange pending(PendingEdit edit) {
    return new PendingChange(edit.generation(), Timestamp.of(edit.since()));
  }
}
