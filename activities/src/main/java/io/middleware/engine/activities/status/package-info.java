/**
 * What people see of a change: the App's status, made by pure functions, and events. The run lock.
 */
package io.middleware.engine.activities.status;
