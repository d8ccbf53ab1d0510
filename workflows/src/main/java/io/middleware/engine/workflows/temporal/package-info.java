/** How all workflows use Temporal: options, timers, children, failures and search attributes. */
package io.middleware.engine.workflows.temporal;
