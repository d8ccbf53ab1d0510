/**
 * The process that observes Apps: its start, assemblies, lease and readiness; the reconciler of
 * Apps and the order of submissions.
 */
package io.middleware.engine.watcher;
