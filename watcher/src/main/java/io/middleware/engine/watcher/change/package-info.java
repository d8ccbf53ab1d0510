/** Starts and signals the workflow of each App, and notices when a run is lost. */
package io.middleware.engine.watcher.change;
