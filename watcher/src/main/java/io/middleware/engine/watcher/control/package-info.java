/** Hears what operators ask of changes by annotations on the App. */
package io.middleware.engine.watcher.control;
