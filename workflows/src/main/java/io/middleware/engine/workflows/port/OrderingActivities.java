package io.middleware.engine.workflows.port;

import io.middleware.engine.api.task.ExecutionOrder;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;

/**
 * Asks the middleware's own agents in which order to work. Changes nothing.
 *
 * <p>An answer that is not a permutation of what was asked fails with kind INVALID_ORDER. When no
 * agent can answer, the plugin's {@code orderFallback} decides and the order says that it is
 * degraded.
 */
@ActivityInterface
public interface OrderingActivities {

  /** The order of a component's groups. */
  @ActivityMethod
  ExecutionOrder groupOrder(GroupOrderRequest request);

  /**
   * The pods of a group that are out of date, in the order to replace them; none when all are
   * current, or stay as they are.
   */
  @ActivityMethod
  PodOrder podOrder(PodOrderRequest request);

  /**
   * @param groups to put in order
   */
  record GroupOrderRequest(TaskRef task, List<String> groups) {}

  /**
   * @param workload what {@link ResourceActivities#applyGroup} left, so that a stale view is not
   *     used
   */
  record PodOrderRequest(GroupRef group, AppliedGroup workload) {}
}
