package io.middleware.engine.workflows.port;

/** The argument of an activity: it says which Backup the step is part of. */
public interface BackupStep {
  BackupRef backup();
}
