package io.middleware.engine.activities.resources;

import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.GroupWrite.Applied;
import io.middleware.engine.workflows.port.OrderingActivities.GroupOrderRequest;
import io.middleware.engine.workflows.port.OrderingActivities.PodOrderRequest;
import io.middleware.engine.workflows.port.PodOrder;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the agents' order to a step's result. If that fails, the write still counts, and the
 * workflow asks for the order itself; but a refused order of pods fails the step.
 */
final class PiggybackedOrders {
  private static final Logger LOG = LoggerFactory.getLogger(PiggybackedOrders.class);

  private final RefusedOrders ordering;

  PiggybackedOrders(RefusedOrders ordering) {
    this.ordering = ordering;
  }

  Optional<ExecutionOrder> ofGroups(TaskRef task, List<String> groups) {
    return attempt(
        task.component(), () -> ordering.groupOrder(new GroupOrderRequest(task, groups)));
  }

  Optional<PodOrder> ofPods(GroupRef group, Applied applied) {
    return applied
        .statefulSet()
        .map(set -> new PodOrderRequest(group, set))
        .flatMap(request -> attempt(group.group(), () -> ordering.ofWritten(request)));
  }

  private static <T> Optional<T> attempt(String subject, Supplier<T> order) {
    try {
      return Optional.of(order.get());
    } catch (ApplicationFailure e) {
      if (RefusedOrders.isRefusal(e)) {
        throw e;
      }
      LOG.atInfo().setCause(e).addKeyValue("of", subject).log("no order with what is written");
      return Optional.empty();
    }
  }
}
