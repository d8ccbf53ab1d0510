/** Replaces and reloads pods, and waits for workloads. */
package io.middleware.engine.activities.rollout;
