package io.middleware.engine.activities.status;

/** The run lock of an App: for the change of a generation, and for an Operation. */
public record RunLocks(RunLock changes, OperationLock operations) {}
