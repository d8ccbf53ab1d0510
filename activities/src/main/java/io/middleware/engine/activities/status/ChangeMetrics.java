package io.middleware.engine.activities.status;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.ChangeStatus;
import io.middleware.engine.api.TaskStatus;
import java.time.Duration;
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
  private final Cache<String, Boolean> counted =
      CacheBuilder.newBuilder().expireAfterWrite(Duration.ofHours(1)).build();

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
                count(
                    after.change().runId() + "/" + task.id(),
                    registry.counter(
                        "middleware.tasks", "type", task.type(), "outcome", task.status())));
    var change = after.change();
    if (change != null && change.outcome() != null && isNew(before, change)) {
      count(
          change.runId() + "/" + change.generation(),
          registry.counter("middleware.changes", "outcome", change.outcome()));
    }
  }

  /** A write of the status that fails is repeated. */
  private void count(String what, Counter counter) {
    if (counted.asMap().putIfAbsent(what + counter.getId().getTags(), true) == null) {
      counter.increment();
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
