package io.middleware.engine.workflows.port;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.middleware.engine.api.task.ExecutionOrder;
import java.util.List;
import java.util.Optional;

/**
 * A component that a task has begun to change.
 *
 * @param groups those that the task works on, by name
 * @param order of these, as {@link OrderingActivities#groupOrder} gives it; empty when that failed,
 *     or the engine is an older one: it is asked for again
 */
public record OpenedComponent(List<String> groups, Optional<ExecutionOrder> order) {
  @JsonCreator
  public OpenedComponent(
      @JsonProperty("groups") List<String> groups,
      @JsonProperty("order") Optional<ExecutionOrder> order) {
    this.groups = List.copyOf(groups);
    this.order = order;
  }

  /** Of groups without an order, which is all that an older engine answers. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public OpenedComponent(List<String> groups) {
    this(groups, Optional.empty());
  }
}
