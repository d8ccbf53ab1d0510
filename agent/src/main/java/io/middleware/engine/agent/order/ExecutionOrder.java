package io.middleware.engine.agent.order;

import java.util.List;

/** The order of work on groups or pods; concurrent: all of them together. */
public record ExecutionOrder(List<String> names, boolean concurrent) {
  public ExecutionOrder {
    names = List.copyOf(names);
  }
}
