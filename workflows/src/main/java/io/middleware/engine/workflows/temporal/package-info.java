/** How all workflows use Temporal: options, timers, children, failures and search attributes. */
@NullMarked
package io.middleware.engine.workflows.temporal;

import org.jspecify.annotations.NullMarked;
