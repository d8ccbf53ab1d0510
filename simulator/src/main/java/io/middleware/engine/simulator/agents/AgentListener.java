package io.middleware.engine.simulator.agents;

/**
 * How a simulated agent listens.
 *
 * @param isUntrusted whether it uses TLS with a certificate that no client trusts
 */
record AgentListener(String ip, boolean isUntrusted) {}
