package io.middleware.engine.worker;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.kubernetes.Operations;
import io.middleware.engine.activities.kubernetes.RunFence;
import io.middleware.engine.activities.kubernetes.RunLockFence;
import io.middleware.engine.activities.status.AppStatusWriter;
import io.middleware.engine.activities.status.EventRecorder;
import io.middleware.engine.activities.status.OperationLock;
import io.middleware.engine.activities.status.RunLock;
import io.middleware.engine.activities.status.RunLocks;
import io.middleware.engine.activities.status.RunLookup;
import io.middleware.engine.activities.status.SharedOperationLock;
import io.middleware.engine.activities.status.StatusRunLockRenewal;
import io.middleware.engine.activities.status.TerminatedRuns;
import io.middleware.engine.activities.status.TransitionPublisher;
import java.time.Clock;

/** Builds what lets only one run at a time carry something out. */
final class LockAssembly {
  private final RunLocks locks;
  private final RunLockFence fence;

  LockAssembly(
      KubernetesClient client,
      AppStatusWriter status,
      RunLookup runs,
      EventRecorder events,
      TransitionPublisher transitions,
      Clock clock) {
    var operations = new Operations(client);
    this.locks =
        new RunLocks(
            new RunLock(status, new TerminatedRuns(status, runs, transitions, clock), runs, clock),
            new OperationLock(status, operations, runs, events, clock),
            new SharedOperationLock(status, operations, runs, events, clock));
    this.fence = new RunLockFence(client, new StatusRunLockRenewal(status, runs));
  }

  /** For plans, which acquire them. */
  RunLocks all() {
    return locks;
  }

  /** For steps that write objects. */
  RunLockFence writes() {
    return fence;
  }

  /** For steps on pods, which may be part of an Operation that writes no object. */
  RunFence steps() {
    return RunFence.of(fence, locks.shared());
  }
}
