/** Asks the agents in the pods for orders and roles. */
package io.middleware.engine.activities.agents;
