package io.middleware.engine.watcher.change;

/**
 * The workflow runs that carry out Operations that exclude nothing. All methods throw {@link
 * TemporalUnavailableException} when Temporal does not answer.
 */
public interface OperationRuns {

  /**
   * Starts a run for the signal's Operation unless one is open.
   *
   * @return whether a run was started
   */
  boolean start(ChangeSignal operation);

  /** Whether the Operation has an open run. */
  boolean isOpen(String namespace, String operation);

  /** Asks the Operation's open run to stop. It takes a while to do so; a repeat is harmless. */
  void cancel(String namespace, String operation);
}
