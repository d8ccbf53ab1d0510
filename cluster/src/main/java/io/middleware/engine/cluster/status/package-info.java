/** What people see of a change: the App's status, made by pure functions, and events. */
package io.middleware.engine.cluster.status;
