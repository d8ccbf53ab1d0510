/** Reduces cached objects to the fields that the watcher reads. */
package io.middleware.engine.watcher.cache;
