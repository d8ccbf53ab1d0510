/**
 * Keeps the Temporal Schedules by which Apps are backed up, and knows when the next backup is due.
 */
@NullMarked
package io.middleware.engine.watcher.schedule;

import org.jspecify.annotations.NullMarked;
