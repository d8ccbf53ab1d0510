package io.middleware.engine.worker;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.cluster.runlock.OperationLock;
import io.middleware.engine.cluster.runlock.RunFence;
import io.middleware.engine.cluster.runlock.RunLock;
import io.middleware.engine.cluster.runlock.RunLockFence;
import io.middleware.engine.cluster.runlock.RunLocks;
import io.middleware.engine.cluster.runlock.SharedOperationLock;
import io.middleware.engine.cluster.runlock.StatusRunLockRenewal;
import io.middleware.engine.cluster.runlock.TerminatedRuns;
import io.middleware.engine.cluster.runs.RunLookup;
import io.middleware.engine.cluster.status.AppStatusWriter;
import io.middleware.engine.cluster.status.EventRecorder;
import io.middleware.engine.cluster.status.TransitionPublisher;
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
