package io.middleware.engine.agent.order;

import java.util.List;

/** The order of work on groups or pods; concurrent: on all of them at the same time. */
public record WorkOrder(List<String> names, boolean concurrent) {
  public WorkOrder {
    names = List.copyOf(names);
  }
}
