/** Operations: when each one begins, is cancelled and is removed. */
@NullMarked
package io.middleware.engine.watcher.operation;

import org.jspecify.annotations.NullMarked;
