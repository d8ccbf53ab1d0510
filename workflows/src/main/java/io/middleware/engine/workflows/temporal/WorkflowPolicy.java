package io.middleware.engine.workflows.temporal;

import java.time.Duration;

/** Options of all workflows. */
public final class WorkflowPolicy {
  /**
   * How soon another worker takes over a workflow when a worker dies during a workflow task. A
   * workflow task takes milliseconds; where a local activity makes it longer, the SDK sends a
   * heartbeat in time.
   */
  public static final Duration TASK_TIMEOUT = Duration.ofSeconds(5);

  private WorkflowPolicy() {}
}
