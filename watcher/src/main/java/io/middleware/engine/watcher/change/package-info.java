/**
 * Starts and signals the workflow of each App, notices when a run is lost or stuck, and shows when
 * Temporal does not take an edit.
 */
package io.middleware.engine.watcher.change;
