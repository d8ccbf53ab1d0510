package io.middleware.engine.agent.server;

import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * Where an agent listens.
 *
 * @param calls for all services of the protocol
 * @param probes for the health service only, in plain text: Kubernetes probes do not support TLS
 */
public record ServerAddresses(InetSocketAddress calls, Optional<InetSocketAddress> probes) {}
