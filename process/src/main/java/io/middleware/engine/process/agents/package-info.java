/** Connections to the agents in the pods, in clear or with the certificates of a Secret. */
package io.middleware.engine.process.agents;
