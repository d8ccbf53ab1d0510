package io.middleware.engine.activities.pods;

import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.runlock.PauseGate;

/** What every step on pods works with; built once in the worker. */
public record PodStepContext(
    ClusterView view,
    ClusterWaiter waiter,
    PauseGate gate,
    PodEvictor evictor,
    StepReporter reporter,
    StopChecks stopChecks) {}
