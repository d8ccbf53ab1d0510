package io.middleware.engine.planning;

import io.middleware.engine.api.task.ChangeType;

/**
 * A planned change of one type to one component.
 *
 * @param description what changes from what to what
 */
record PlannedChange(String component, ChangeType type, String description) {}
