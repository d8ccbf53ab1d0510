package io.middleware.engine.api.task;

import java.util.List;
import java.util.Optional;

/**
 * The names of the checks that follow a task.
 *
 * @param group on each of its groups, before the next group begins
 * @param component after all its groups
 */
public record TaskChecks(List<String> group, List<String> component) {
  public TaskChecks {
    group = List.copyOf(group);
    component = List.copyOf(component);
  }

  /** Empty when there are none. */
  public static Optional<TaskChecks> of(List<String> group, List<String> component) {
    return group.isEmpty() && component.isEmpty()
        ? Optional.empty()
        : Optional.of(new TaskChecks(group, component));
  }
}
