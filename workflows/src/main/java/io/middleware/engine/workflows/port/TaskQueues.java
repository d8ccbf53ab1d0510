package io.middleware.engine.workflows.port;

/** Names of the Temporal task queues. */
public final class TaskQueues {
  /** Workflows and short activities. */
  public static final String ENGINE = "engine";

  /** Activities that mostly wait. They have their own slots, so that waiting never starves work. */
  public static final String WAIT = "engine-wait";

  /** Activities that wait for agents' orders: agents that hang hold up nothing else. */
  public static final String ORDERS = "engine-orders";

  private TaskQueues() {}
}
