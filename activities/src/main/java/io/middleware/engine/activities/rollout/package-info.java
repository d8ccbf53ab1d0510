/**
 * Replaces and reloads pods, waits until groups converge, and says which pods a task has reached
 * and what blocks it.
 */
@NullMarked
package io.middleware.engine.activities.rollout;

import org.jspecify.annotations.NullMarked;
