/** Checks: whether a group, or a component, is as it should be after a change. */
package io.middleware.engine.activities.checks;
