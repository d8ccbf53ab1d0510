package io.middleware.engine.activities.apiserver;

import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.workflows.port.OrderingActivities;
import io.middleware.engine.workflows.port.PodOrder;
import io.temporal.failure.ApplicationFailure;

/** Of a cluster without the controllers that an order waits for. */
public class NoOrders implements OrderingActivities {

  @Override
  public ExecutionOrder groupOrder(GroupOrderRequest request) {
    throw noController();
  }

  @Override
  public final ExecutionOrder awaitGroupOrder(GroupOrderRequest request) {
    throw noController();
  }

  @Override
  public PodOrder podOrder(PodOrderRequest request) {
    throw noController();
  }

  @Override
  public final PodOrder awaitPodOrder(PodOrderRequest request) {
    throw noController();
  }

  private static ApplicationFailure noController() {
    return Faults.of(FaultKind.UNAVAILABLE, "no controller runs");
  }
}
