package io.middleware.engine.cluster;

import io.middleware.engine.workflows.port.HeartbeatContract;

/** Proves that a step is alive, and ends it when it is cancelled ({@link HeartbeatContract}). */
@FunctionalInterface
public interface Heartbeat {
  /**
   * Says what the step waits for. Few heartbeats leave the process, so a cancel may have been
   * requested for {@link HeartbeatContract#THROTTLE} before this throws.
   *
   * @throws io.temporal.client.ActivityCompletionException when the step is cancelled
   */
  void send(String message);

  /**
   * Asks Temporal now whether the step is cancelled. Without an answer the step goes on.
   *
   * @throws io.temporal.client.ActivityCompletionException when the step is cancelled
   */
  default void ask() {}
}
