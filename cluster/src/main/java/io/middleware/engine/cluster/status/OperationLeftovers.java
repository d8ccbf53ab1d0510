package io.middleware.engine.cluster.status;

import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.workflows.port.ChangeRef;

/** What an Operation may have left running when it ends, because no worker was there to stop it. */
@FunctionalInterface
public interface OperationLeftovers {

  /**
   * Stops it, and says so in the Operation's status. Does nothing for what has ended.
   *
   * @param operation that is about to end, with an action of the Plugin
   * @throws io.temporal.failure.ApplicationFailure of kind UNAVAILABLE while something may still be
   *     at work: to be called again
   */
  void stop(ChangeRef change, Operation operation);
}
