/**
 * Asks the agents in the pods for orders, roles and actions: connections, candidates, retries, and
 * the fallback when none answers.
 */
package io.middleware.engine.cluster.agents;
