package io.middleware.engine.watcher.operation;

import io.middleware.engine.api.App;
import io.middleware.engine.api.Operation;

/**
 * The workflow that carries an Operation out: that of its App, or one of its own. All methods throw
 * {@link io.middleware.engine.watcher.change.TemporalUnavailableException} when Temporal does not
 * answer.
 */
interface OperationCarrier {

  /**
   * Starts a run for the Operation, unless one is open.
   *
   * @return whether a run was started
   */
  boolean start(Operation operation, App app);

  /** Whether the run that has begun the Operation is open. */
  boolean isOpen(Operation operation);

  /**
   * Asks the run to stop; a repeat is harmless.
   *
   * @return whether there is a run
   */
  boolean cancel(Operation operation);
}
