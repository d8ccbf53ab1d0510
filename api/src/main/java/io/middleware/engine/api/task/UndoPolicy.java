package io.middleware.engine.api.task;

/**
 * Whether a task that failed or was cancelled is rolled back; otherwise everything stays as it is.
 *
 * @param onCancel after a cancel
 * @param onFailure after a failure or a timeout
 */
public record UndoPolicy(boolean onCancel, boolean onFailure) {}
