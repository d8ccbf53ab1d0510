package io.middleware.engine.api.task;

import java.util.List;

/**
 * In which order names are worked on.
 *
 * @param names all of what was asked, once each
 * @param concurrent together instead of one after the other
 * @param degraded why the order does not come from the agents; empty when it does
 */
public record ExecutionOrder(List<String> names, boolean concurrent, String degraded) {
  public ExecutionOrder {
    names = List.copyOf(names);
  }

  /** What is worked on together, one list after the other. */
  public List<List<String>> batches() {
    return concurrent ? List.of(names) : names.stream().map(List::of).toList();
  }
}
