/**
 * Objects that ask for a workflow run, of any kind: when the run begins, is cancelled, and the
 * object is removed.
 */
@NullMarked
package io.middleware.engine.watcher.request;

import org.jspecify.annotations.NullMarked;
