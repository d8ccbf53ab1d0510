package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ActivityPolicy.brief;
import static io.middleware.engine.workflows.ActivityPolicy.waiting;

import io.middleware.engine.api.task.RollingPolicy;
import io.middleware.engine.workflows.port.AppliedGroup;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.OrderingActivities;
import io.middleware.engine.workflows.port.OrderingActivities.PodOrderRequest;
import io.middleware.engine.workflows.port.PodActivities;
import io.middleware.engine.workflows.port.PodActivities.ReplaceRequest;
import io.middleware.engine.workflows.port.PodActivities.Replacement;
import io.middleware.engine.workflows.port.PodOrder;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.util.List;
import java.util.Objects;

/**
 * Replaces the pods of a group that are out of date.
 *
 * <ol>
 *   <li>Ask for their order.
 *   <li>Replace the first ones together, as many as may be in work at once.
 *   <li>Where one was left alone, as the order holds no more, begin again at 1 with those that are
 *       still out of date; else rest and go on with the next ones.
 * </ol>
 *
 * <p>Where roles never settle, asking again would never end and the change would never be made, so
 * the last order is followed whatever happens, and the user is told.
 */
final class PodRollout {
  /** Failovers during one change are rare; so many are a middleware that does not settle. */
  static final int MOST_ORDERS = 10;

  private final GroupRef group;
  private final AppliedGroup workload;
  private final RollingPolicy rolling;
  private int orders;

  PodRollout(GroupRef group, AppliedGroup workload, RollingPolicy rolling) {
    this.group = group;
    this.workload = workload;
    this.rolling = rolling;
  }

  void run() {
    var order = order();
    while (!order.pods().isEmpty()) {
      var batch = order.first(rolling.batchSize());
      var stale = replace(batch, order);
      order = stale.isEmpty() ? order.after(batch.size()) : orderAgain(stale.getFirst());
      if (stale.size() < batch.size() && !order.pods().isEmpty()) {
        rest();
      }
    }
  }

  private PodOrder order() {
    orders++;
    var order =
        Workflow.newLocalActivityStub(
                OrderingActivities.class, brief("pod order of " + group.group()))
            .podOrder(new PodOrderRequest(group, workload));
    tell(order.degraded());
    return order;
  }

  private PodOrder orderAgain(String stale) {
    var order = order();
    if (isLast()) {
      tell(
          "the pods of %s were put in order %d times, the last order is followed as it is: %s"
              .formatted(group.group(), orders, stale));
    }
    return order;
  }

  private boolean isLast() {
    return orders >= MOST_ORDERS;
  }

  private void tell(String degraded) {
    DegradedOrderReport.tell(group.task().change(), degraded);
  }

  /**
   * Says of each pod that was left alone why the order holds no more. In a history from before pods
   * were left alone a step has no result.
   */
  private List<String> replace(List<OutdatedPod> batch, PodOrder order) {
    var running = batch.stream().map(pod -> replace(pod, order)).toList();
    ChildWorkflows.awaitAll(running);
    return running.stream()
        .map(Promise::get)
        .filter(Objects::nonNull)
        .flatMap(done -> done.stale().stream())
        .toList();
  }

  private Promise<Replacement> replace(OutdatedPod pod, PodOrder order) {
    var summary = "replace pod " + pod.name() + (pod.role().isEmpty() ? "" : " · " + pod.role());
    var pods = Workflow.newActivityStub(PodActivities.class, waiting(summary));
    return Async.function(
        pods::replacePod,
        new ReplaceRequest(
            group,
            workload,
            pod,
            rolling.batchSize(),
            order.agents(),
            isLast(),
            order.switchover()));
  }

  private void rest() {
    if (!rolling.interval().isZero()) {
      NamedTimer.of(rolling.interval(), "interval between pods");
    }
  }
}
