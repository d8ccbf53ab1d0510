package io.middleware.engine.activities.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.ChangeStatus;
import io.middleware.engine.api.PendingChange;
import io.middleware.engine.api.TaskStatus;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeProgress.End;
import io.middleware.engine.workflows.port.TaskProgress;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The change's part of an App's status, a pure function of facts. Phase, readiness and health are
 * not of this part: whoever watches the pods writes them.
 */
public final class AppStatusFactory {
  private static final int LONGEST_MESSAGE = 16_384;

  private AppStatusFactory() {}

  /**
   * @param app as it stands, with the status that is there
   */
  public static AppStatus of(App app, ChangeProgress progress, Instant now) {
    var before = Optional.ofNullable(app.getStatus());
    var generation = progress.change().generation();
    var ended = progress.end().isPresent();
    return part(
        ended ? Long.valueOf(generation) : before.map(AppStatus::observedGeneration).orElse(null),
        Math.max(generation, progress.pending().orElse(generation)),
        change(before, progress),
        TaskStatuses.of(progress),
        progress.pending().map(pending -> pending(pending, progress)).orElse(null),
        ChangeConditions.of(app, progress, now).all());
  }

  /**
   * Whether the status says more than this progress already: the plan may have taken on a newer
   * generation than its run knows of yet, and a workflow task that is carried out again reports
   * once more what came before the end.
   */
  static boolean isBehind(ChangeProgress progress, ChangeStatus shown) {
    return shown.generation() > progress.change().generation()
        || (shown.outcome() != null && progress.end().isEmpty());
  }

  /** Of a status as it stands what this factory makes. */
  static AppStatus partOf(AppStatus status) {
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
                .toList());
  }

  private static AppStatus part(
      Long observed,
      Long accepted,
      ChangeStatus change,
      List<TaskStatus> tasks,
      PendingChange pending,
      List<Condition> conditions) {
    var sorted = conditions.stream().sorted(Comparator.comparing(Condition::getType)).toList();
    return new AppStatus(
        observed, accepted, null, null, change, tasks, pending, null, null, sorted);
  }

  private static ChangeStatus change(Optional<AppStatus> before, ChangeProgress progress) {
    var change = progress.change();
    return new ChangeStatus(
        change.generation(),
        change.workflowId(),
        change.runId(),
        startedAt(before, progress),
        progress.end().map(End::at).map(Texts::time).orElse(null),
        progress.end().map(end -> end.outcome().label()).orElse(null),
        message(progress),
        TaskStatuses.current(progress)
            .map(TaskProgress::task)
            .map(ChangeTask::id)
            .filter(id -> progress.end().isEmpty())
            .orElse(null));
  }

  /** The claim has written it before the run could. */
  private static String startedAt(Optional<AppStatus> before, ChangeProgress progress) {
    return before
        .map(AppStatus::change)
        .filter(change -> progress.change().runId().equals(change.runId()))
        .map(ChangeStatus::startedAt)
        .orElseGet(() -> Texts.time(progress.startedAt()));
  }

  private static String message(ChangeProgress progress) {
    var parts =
        Stream.of(progress.end().map(End::message).orElse(""), superseded(progress.superseded()))
            .filter(part -> part != null && !part.isEmpty())
            .collect(Collectors.joining("; "));
    return parts.isEmpty() ? null : Texts.cut(parts, LONGEST_MESSAGE);
  }

  private static String superseded(long edits) {
    if (edits == 0) {
      return "";
    }
    return edits == 1
        ? "1 edit in between was superseded"
        : edits + " edits in between were superseded";
  }

  private static PendingChange pending(long generation, ChangeProgress progress) {
    return new PendingChange(generation, progress.pendingSince().map(Texts::time).orElse(null));
  }
}
