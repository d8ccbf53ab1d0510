package io.middleware.engine.watcher.schedule;

import io.javaoperatorsdk.operator.processing.event.ResourceID;

/**
 * The Temporal Schedule that an App is to have.
 *
 * @param paused whether it starts no runs, as the App is stopped
 */
public record BackupSchedule(ResourceID app, BackupTimes times, boolean paused) {}
