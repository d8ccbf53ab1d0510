package io.middleware.engine.activities.status;

import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.ChangeStatus;
import io.middleware.engine.api.TaskStatus;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Counts the changes and tasks that have ended: {@code middleware_changes_total{outcome}} and
 * {@code middleware_tasks_total{type,outcome}}.
 */
final class ChangeMetrics {
  private static final Set<String> ENDS = Set.of("Done", "Failed", "Skipped", "Cancelled");

  private final MeterRegistry registry;

  ChangeMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Counts what has ended between two statuses of an App. */
  void count(AppStatus before, AppStatus after) {
    var known =
        tasks(before).stream().collect(Collectors.toMap(TaskStatus::id, Function.identity()));
    tasks(after).stream()
        .filter(task -> ENDS.contains(task.status()))
        .filter(
            task -> !known.containsKey(task.id()) || !ENDS.contains(known.get(task.id()).status()))
        .forEach(
            task ->
                registry
                    .counter("middleware.tasks", "type", task.type(), "outcome", task.status())
                    .increment());
    if (after.change() != null
        && after.change().outcome() != null
        && isNew(before, after.change())) {
      registry.counter("middleware.changes", "outcome", after.change().outcome()).increment();
    }
  }

  private static boolean isNew(AppStatus before, ChangeStatus ended) {
    return before == null
        || before.change() == null
        || before.change().outcome() == null
        || !Objects.equals(before.change().runId(), ended.runId());
  }

  private static List<TaskStatus> tasks(AppStatus status) {
    return Optional.ofNullable(status).map(AppStatus::tasks).orElse(List.of());
  }
}
