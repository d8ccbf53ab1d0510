package io.middleware.engine.workflows.port;

import io.middleware.engine.api.task.WorkflowIds;

/**
 * Names of the Temporal task queues, of a cluster without a name; one with a name has queues of its
 * own.
 */
public final class TaskQueues {
  /** Workflows and short activities. */
  public static final String ENGINE = "engine";

  /** Activities that mostly wait. They have their own slots, so that waiting never starves work. */
  public static final String WAIT = "engine-wait";

  /** Activities that wait for agents' orders: agents that hang hold up nothing else. */
  public static final String ORDERS = "engine-orders";

  /**
   * Activities that repeat checks for as long as a change takes. They have their own slots, as what
   * the change waits for must get one while it is checked.
   */
  public static final String CHECKS = "engine-checks";

  /** Plans of changes of Apps that exist: a worker that has much to do takes none. */
  public static final String PLANS = "engine-plans";

  /**
   * Plans of new Apps. A worker that has much to do takes plans from both queues in turn: neither
   * many new Apps nor many edits hold up the other for good.
   */
  public static final String NEW_APPS = "engine-new-apps";

  /** Workflows and activities of tests: many tests at once hold up no change. */
  public static final String TESTS = "engine-tests";

  private TaskQueues() {}

  /** The cluster's queue of workflows and short activities. */
  public static String engine(String cluster) {
    return WorkflowIds.below(cluster, ENGINE);
  }

  /** The cluster's queue of activities that mostly wait. */
  public static String waiting(String cluster) {
    return WorkflowIds.below(cluster, WAIT);
  }

  /** The cluster's queue of activities that wait for orders. */
  public static String orders(String cluster) {
    return WorkflowIds.below(cluster, ORDERS);
  }

  /** The cluster's queue of activities that repeat checks. */
  public static String checks(String cluster) {
    return WorkflowIds.below(cluster, CHECKS);
  }

  /** The cluster's queue of plans for Apps that exist. */
  public static String plans(String cluster) {
    return WorkflowIds.below(cluster, PLANS);
  }

  /** The cluster's queue of plans for new Apps. */
  public static String newApps(String cluster) {
    return WorkflowIds.below(cluster, NEW_APPS);
  }

  /** The cluster's queue of tests. */
  public static String tests(String cluster) {
    return WorkflowIds.below(cluster, TESTS);
  }
}
