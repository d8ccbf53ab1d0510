package io.middleware.engine.activities.actions;

import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentQueries;

/**
 * The agents that run actions.
 *
 * @param queries for orders and roles
 */
public record ActionAgents(AgentQueries queries, AgentActions actions) {}
