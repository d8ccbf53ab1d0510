/** Reduces cached objects to the fields that the watcher reads: a transform for each kind. */
package io.middleware.engine.watcher.cache;
