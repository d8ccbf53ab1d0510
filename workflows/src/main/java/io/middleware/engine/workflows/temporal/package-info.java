/**
 * How all workflows use Temporal: options, timers, children, failures, search attributes and texts
 * for its Web UI.
 */
@NullMarked
package io.middleware.engine.workflows.temporal;

import org.jspecify.annotations.NullMarked;
