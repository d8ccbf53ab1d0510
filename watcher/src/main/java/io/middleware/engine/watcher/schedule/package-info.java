/**
 * Keeps the Temporal Schedules by which Apps are backed up, and knows when the next backup is due.
 */
package io.middleware.engine.watcher.schedule;
