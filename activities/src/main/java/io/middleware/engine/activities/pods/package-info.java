/** Replaces pods one by one and waits for workloads. */
package io.middleware.engine.activities.pods;
