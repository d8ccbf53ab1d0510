/** Asks the agents in the pods for orders, roles and actions. */
package io.middleware.engine.cluster.agents;
