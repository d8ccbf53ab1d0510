/** Tells the workflows what Apps ask for, and notices when a run has been lost. */
package io.middleware.engine.watcher.change;
