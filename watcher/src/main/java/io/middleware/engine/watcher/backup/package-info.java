/** Starts and stops Backups, keeps the Temporal Schedules of Apps, and looks after their runs. */
package io.middleware.engine.watcher.backup;
