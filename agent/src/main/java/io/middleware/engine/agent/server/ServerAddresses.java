package io.middleware.engine.agent.server;

import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * Where an agent listens.
 *
 * @param calls for all that the protocol has
 * @param probes for the health service alone, in clear: Kubernetes' probes know no TLS
 */
public record ServerAddresses(InetSocketAddress calls, Optional<InetSocketAddress> probes) {}
