package io.middleware.engine.workflows.port;

import io.middleware.engine.api.task.ExecutionOrder;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;

/**
 * Asks the middleware's own agents in which order to work. Changes nothing.
 *
 * <p>An answer is a permutation of the names in the request, or empty (all at once). Any other
 * fails with kind INVALID_ORDER, except for removals and volumes, which then go by name. When no
 * agent can answer, the plugin's {@code orderFallback} decides and the order is marked as degraded.
 */
@ActivityInterface
public interface OrderingActivities {

  /** The order of a component's groups. */
  @ActivityMethod
  ExecutionOrder groupOrder(GroupOrderRequest request);

  /**
   * The pods of a group that are out of date, in the order to replace them; none when all are up to
   * date, or stay as they are.
   */
  @ActivityMethod
  PodOrder podOrder(PodOrderRequest request);

  /**
   * @param groups to put in order
   */
  record GroupOrderRequest(TaskRef task, List<String> groups) implements ChangeStep {
    @Override
    public ChangeRef change() {
      return task.change();
    }
  }

  /**
   * @param statefulSet as {@link ResourceActivities#applyGroup} wrote it, so that a stale view is
   *     not used
   */
  record PodOrderRequest(GroupRef group, AppliedStatefulSet statefulSet) implements ChangeStep {
    @Override
    public ChangeRef change() {
      return group.change();
    }
  }
}
