package io.middleware.engine.api.task;

import java.util.List;
import java.util.Optional;

/**
 * In which order names are worked on.
 *
 * @param names all names of the request, once each
 * @param concurrent together instead of one after the other
 * @param degraded why the order does not come from the agents; empty when it does
 * @param unanswered whether there is no order yet, because the agents could not give it at once
 */
public record ExecutionOrder(
    List<String> names, boolean concurrent, Optional<String> degraded, boolean unanswered) {
  /** The agents must be waited for. */
  public static final ExecutionOrder UNANSWERED =
      new ExecutionOrder(List.of(), false, Optional.empty(), true);

  public ExecutionOrder {
    names = List.copyOf(names);
  }

  /** An order. */
  public ExecutionOrder(List<String> names, boolean concurrent, Optional<String> degraded) {
    this(names, concurrent, degraded, false);
  }

  /** An order that nothing is wrong with. */
  public ExecutionOrder(List<String> names, boolean concurrent) {
    this(names, concurrent, Optional.empty());
  }

  /** The names that are worked on together, one list after the other. */
  public List<List<String>> batches() {
    return concurrent ? List.of(names) : names.stream().map(List::of).toList();
  }
}
