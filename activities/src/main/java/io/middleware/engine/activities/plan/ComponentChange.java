package io.middleware.engine.activities.plan;

import io.middleware.engine.api.task.ChangeType;

/**
 * What is to be done to one component, of one type.
 *
 * @param description what changes from what to what
 */
record ComponentChange(String component, ChangeType type, String description) {}
