package io.middleware.engine.activities.pods;

import io.middleware.engine.activities.kubernetes.ClusterView;
import io.middleware.engine.activities.kubernetes.ClusterWaiter;
import io.middleware.engine.activities.kubernetes.PauseGate;

/** What every step on pods works with; built once in the worker. */
public record PodStepContext(
    ClusterView view,
    ClusterWaiter waiter,
    PauseGate gate,
    PodEvictor evictor,
    StepReporter reporter) {}
