package io.middleware.engine.planning;

import io.middleware.engine.planning.condition.EndpointPolicy;

/**
 * What the administrator has set for all plans.
 *
 * @param tasks timeouts and retries where the App and its Plugin set none
 * @param endpoints to which checks may send
 * @param keptSpecs how many specs of an App are kept, the newest of them
 */
public record PlanningPolicy(TaskPolicies tasks, EndpointPolicy endpoints, int keptSpecs) {}
