/**
 * What people see of a change or an Operation: statuses and conditions, made by pure functions;
 * events and metrics.
 */
package io.middleware.engine.cluster.status;
