package io.middleware.engine.simulator.agents;

/**
 * Where an agent listens, and how.
 *
 * @param isForeign whether it speaks TLS, with a certificate that nobody knows
 */
record AgentListener(String ip, boolean isForeign) {}
