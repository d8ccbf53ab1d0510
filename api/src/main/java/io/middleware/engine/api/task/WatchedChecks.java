package io.middleware.engine.api.task;

import java.util.List;

/**
 * Checks of a component that are repeated in the background of a change.
 *
 * @param names at least one
 */
public record WatchedChecks(String component, List<String> names) {
  public WatchedChecks {
    names = List.copyOf(names);
  }
}
