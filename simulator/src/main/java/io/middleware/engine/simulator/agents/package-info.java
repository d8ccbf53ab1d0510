/** Simulates the agents of all pods of a cluster in one process, each on its pod's own IP. */
package io.middleware.engine.simulator.agents;
