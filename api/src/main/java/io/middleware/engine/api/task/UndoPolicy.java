package io.middleware.engine.api.task;

/**
 * Whether a task that did not end well is rolled back; else all stays as it is.
 *
 * @param onCancel after a cancel
 * @param onFailure after a failure or a timeout
 */
public record UndoPolicy(boolean onCancel, boolean onFailure) {}
