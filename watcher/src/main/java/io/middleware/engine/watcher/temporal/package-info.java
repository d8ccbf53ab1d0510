/**
 * How the watcher calls Temporal: with a limit of time, and an exception when it does not answer.
 */
@NullMarked
package io.middleware.engine.watcher.temporal;

import org.jspecify.annotations.NullMarked;
