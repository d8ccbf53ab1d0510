/** Replaces and reloads pods, and waits for workloads. */
@NullMarked
package io.middleware.engine.activities.rollout;

import org.jspecify.annotations.NullMarked;
