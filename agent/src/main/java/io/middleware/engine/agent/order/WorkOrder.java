package io.middleware.engine.agent.order;

import java.util.List;

/** The order of work on groups or pods; concurrent: all of them together. */
public record WorkOrder(List<String> names, boolean concurrent) {
  public WorkOrder {
    names = List.copyOf(names);
  }
}
