/**
 * What all activities share for access to the cluster: view, waiter and heartbeats, faults,
 * Plugins, impersonation, kept specs; what Kubernetes says of pods, Jobs, volume claims and
 * workloads.
 */
package io.middleware.engine.cluster;
