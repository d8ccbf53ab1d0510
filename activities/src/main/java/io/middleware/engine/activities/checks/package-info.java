/**
 * Carries out the checks of a change: looks at pods and objects, waits until checks hold, watches
 * them beside the tasks, and reports.
 */
package io.middleware.engine.activities.checks;
