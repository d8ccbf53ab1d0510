package io.middleware.engine.planning;

import static java.util.stream.Collectors.toSet;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.change.ChangeStatus;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.api.task.TaskPolicy;
import io.middleware.engine.planning.app.SpecDurations;
import io.middleware.engine.workflows.port.TaskProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The tasks that an earlier run of the same generation, or Operation, has finished. They are not
 * repeated, and the status keeps showing them.
 */
final class EarlierTasks {
  private EarlierTasks() {}

  /** In the order of their stages, which are numbered from 0. */
  static List<TaskProgress> of(App app) {
    return done(Optional.of(ofSameGeneration(app).toList()));
  }

  private static Stream<TaskStatus> ofSameGeneration(App app) {
    var status = Optional.ofNullable(app.getStatus());
    var generation = status.map(AppStatus::change).map(ChangeStatus::generation);
    return app.getMetadata().getGeneration().equals(generation.orElse(null))
        ? status.map(AppStatus::tasks).stream().flatMap(List::stream)
        : Stream.empty();
  }

  /** Whether an earlier run of the same generation has backed the App up. */
  static boolean includeBackup(App app) {
    return of(app).stream().anyMatch(done -> done.task().type() == ChangeType.BACKUP);
  }

  /** The components whose checks an earlier run of the same generation has left undone. */
  static Set<String> unchecked(App app) {
    return ofSameGeneration(app)
        .filter(task -> ChangeType.CHECK.label().equals(task.type()))
        .filter(task -> !TaskPhase.DONE.label().equals(task.status()))
        .map(TaskStatus::component)
        .collect(toSet());
  }

  /** Those of these tasks that are done. */
  static List<TaskProgress> done(Optional<List<TaskStatus>> tasks) {
    var done =
        tasks.orElse(List.of()).stream()
            .filter(task -> TaskPhase.DONE.label().equals(task.status()))
            .toList();
    var stages = done.stream().map(TaskStatus::dependencies).distinct().toList();
    return done.stream().map(task -> progress(task, stages.indexOf(task.dependencies()))).toList();
  }

  private static TaskProgress progress(TaskStatus task, int stage) {
    var timeout = SpecDurations.parse(task.timeout()).orElse(Duration.ofSeconds(1));
    return new TaskProgress(
        new ChangeTask(
            task.id(),
            ChangeType.of(task.type()),
            task.component(),
            task.description(),
            stage,
            false,
            false,
            new TaskPolicy(timeout, task.maxRetries(), Duration.ZERO)),
        TaskPhase.DONE,
        task.attempts(),
        Optional.ofNullable(task.startedAt()).map(Instant::parse),
        Optional.ofNullable(task.completedAt()).map(Instant::parse),
        Optional.empty(),
        Optional.empty());
  }
}
