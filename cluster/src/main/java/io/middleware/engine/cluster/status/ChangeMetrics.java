package io.middleware.engine.cluster.status;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.change.ChangeStatus;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.process.EngineMetric;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Counts the changes and tasks that have ended, and measures how long the changes took. */
final class ChangeMetrics {
  private static final Set<String> ENDS = Set.of("Done", "Failed", "Skipped", "Cancelled");

  private final MeterRegistry registry;
  private final Cache<String, Boolean> counted =
      CacheBuilder.newBuilder().expireAfterWrite(Duration.ofHours(1)).build();

  ChangeMetrics(MeterRegistry registry) {
    this.registry = registry;
    for (var outcome : ChangeOutcome.values()) {
      EngineMetric.CHANGES.counter(registry, outcome.label()); // 0 before the first
    }
  }

  /** Counts what has ended between two statuses of an App. */
  void count(AppStatus before, AppStatus after) {
    var known =
        tasks(before).stream().collect(Collectors.toMap(TaskStatus::id, Function.identity()));
    tasks(after).stream()
        .filter(task -> ENDS.contains(task.status()))
        .filter(
            task -> !known.containsKey(task.id()) || !ENDS.contains(known.get(task.id()).status()))
        .filter(task -> isFirst(after.change().runId(), task.id(), task.status()))
        .forEach(
            task -> EngineMetric.TASKS.counter(registry, task.type(), task.status()).increment());
    var change = after.change();
    if (change != null
        && change.outcome() != null
        && isNew(before, change)
        && isFirst(change.runId(), change.generation(), change.outcome())) {
      EngineMetric.CHANGES.counter(registry, change.outcome()).increment();
      record(change);
    }
  }

  /** A write of the status that fails is repeated. */
  private boolean isFirst(Object... what) {
    return counted.asMap().putIfAbsent(Arrays.toString(what), true) == null;
  }

  private void record(ChangeStatus ended) {
    if (ended.startedAt() != null && ended.completedAt() != null) {
      EngineMetric.CHANGE_DURATION
          .timer(registry, ended.outcome())
          .record(
              Duration.between(
                  Instant.parse(ended.startedAt()), Instant.parse(ended.completedAt())));
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
