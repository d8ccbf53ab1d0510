/** One process plays the agents of all simulated pods of a cluster, each on its pod's own IP. */
package io.middleware.engine.simulator.agents;
