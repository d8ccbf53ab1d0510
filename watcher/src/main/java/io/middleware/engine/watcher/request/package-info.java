/**
 * Objects that ask for a workflow run: when the run begins, is cancelled, and the object is
 * removed.
 */
package io.middleware.engine.watcher.request;
