/**
 * The worker's process, the only place that sees workflows and activities together: assemblies,
 * policies, the clock, versions, interceptors.
 */
package io.middleware.engine.worker;
