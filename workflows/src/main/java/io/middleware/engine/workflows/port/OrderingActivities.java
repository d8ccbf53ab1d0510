package io.middleware.engine.workflows.port;

import io.middleware.engine.api.task.ExecutionOrder;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;

/**
 * Asks the middleware's own agents in which order to work. Changes nothing, except that a group
 * whose order is refused before any of its pods is replaced is written back as it was.
 *
 * <p>An answer is a permutation of the names in the request, or empty (all at once). Any other
 * fails with kind INVALID_ORDER, except for removals and volumes, which then go by name. When no
 * agent can answer, the plugin's {@code orderFallback} decides and the order is marked as degraded.
 */
@ActivityInterface
public interface OrderingActivities {

  /**
   * The order of a component's groups; unanswered when the agents do not give it at once.
   *
   * <p>As all agents together cannot hold up this step for longer than a second, it may be a local
   * activity.
   */
  @ActivityMethod
  ExecutionOrder groupOrder(GroupOrderRequest request);

  /**
   * The same, asked again with patience: waits for the agents, heartbeats with what they say, and
   * ends early when cancelled. Never unanswered.
   */
  @ActivityMethod
  ExecutionOrder awaitGroupOrder(GroupOrderRequest request);

  /**
   * The pods of a group that are out of date, in the order to replace them; none when all are up to
   * date, or stay as they are; unanswered when the agents do not give the order at once.
   */
  @ActivityMethod
  PodOrder podOrder(PodOrderRequest request);

  /** The same, asked again with patience, as of {@link #awaitGroupOrder}. */
  @ActivityMethod
  PodOrder awaitPodOrder(PodOrderRequest request);

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
