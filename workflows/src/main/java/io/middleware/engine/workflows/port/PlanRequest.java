package io.middleware.engine.workflows.port;

/**
 * @param change generation as asked for; the plan may be of a newer one
 */
public record PlanRequest(ChangeRef change) {}
