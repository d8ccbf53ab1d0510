package io.middleware.engine.activities.resources;

import io.middleware.engine.api.Component;
import io.middleware.engine.api.Labels;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The tasks of one change that have ended on a Component, as kept in its annotation. An attempt to
 * begin a task may be given up by Temporal and still write, long after another attempt has begun
 * the task and it has ended: it finds the task here.
 *
 * @param change its run and generation
 * @param ids of the tasks
 */
record EndedTasks(String change, SortedSet<String> ids) {

  /** None, if the Component keeps those of another change. */
  static EndedTasks of(ChangeRef change, Optional<Component> component) {
    var key = "%s/%d".formatted(change.runId(), change.generation());
    var kept =
        component
            .map(found -> found.getMetadata().getAnnotations())
            .map(annotations -> annotations.get(Labels.ENDED_TASKS))
            .map(text -> text.split(":", 2))
            .filter(parts -> parts.length == 2 && parts[0].equals(key))
            .map(parts -> Arrays.asList(parts[1].split(",")));
    return new EndedTasks(key, new TreeSet<>(kept.orElseGet(Arrays::asList)));
  }

  boolean has(TaskRef task) {
    return ids.contains(task.id());
  }

  EndedTasks with(TaskRef task) {
    var more = new TreeSet<>(ids);
    more.add(task.id());
    return new EndedTasks(change, more);
  }

  Map<String, String> annotations() {
    return ids.isEmpty()
        ? Map.of()
        : Map.of(Labels.ENDED_TASKS, "%s:%s".formatted(change, String.join(",", ids)));
  }
}
