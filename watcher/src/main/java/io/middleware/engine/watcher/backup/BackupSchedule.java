package io.middleware.engine.watcher.backup;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.watcher.health.BackupTimes;

/**
 * The Temporal Schedule that an App is to have.
 *
 * @param paused whether it starts no runs, as the App is stopped
 */
public record BackupSchedule(ResourceID app, BackupTimes times, boolean paused) {}
