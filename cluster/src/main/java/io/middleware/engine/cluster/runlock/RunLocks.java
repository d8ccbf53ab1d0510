package io.middleware.engine.cluster.runlock;

import io.middleware.engine.workflows.port.ChangeRef;

/**
 * What lets only one run write.
 *
 * @param changes the run lock of an App, for the change of a generation
 * @param operations the same lock, for an Operation
 * @param shared the lock of an Operation that excludes nothing
 */
public record RunLocks(RunLock changes, OperationLock operations, SharedOperationLock shared) {

  /**
   * Acquires the lock for the run of an Operation. A repeat changes nothing.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind SUPERSEDED when another run is the open
   *     one
   */
  public OperationLock.Answer acquireFor(ChangeRef operation) {
    return operation.shared() ? shared.acquire(operation) : operations.acquire(operation);
  }
}
