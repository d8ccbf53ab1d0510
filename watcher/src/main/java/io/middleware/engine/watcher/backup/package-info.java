/** Starts and stops Backups, keeps the Temporal Schedules of Apps, and looks after their runs. */
@NullMarked
package io.middleware.engine.watcher.backup;

import org.jspecify.annotations.NullMarked;
