/**
 * What all steps on pods share: their context, eviction and its budgets, roles, progress and
 * reports, and the checks before a pod is stopped.
 */
@NullMarked
package io.middleware.engine.activities.pods;

import org.jspecify.annotations.NullMarked;
