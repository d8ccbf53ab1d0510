package io.middleware.engine.workflows.port;

import static java.util.Objects.requireNonNull;

/**
 * Where the agents of a component's pods listen, each at its pod's address.
 *
 * @param port 0 when the pods have no agents
 * @param tlsSecret name of the Secret in the engine's namespace with the certificates by which
 *     engine and agents authenticate each other; empty when they talk without TLS
 */
public record AgentEndpoint(int port, String tlsSecret) {
  /** The endpoint of pods without agents. */
  public static final AgentEndpoint NONE = new AgentEndpoint(0, "");

  public AgentEndpoint {
    requireNonNull(tlsSecret, "tlsSecret");
  }

  /** Whether the pods have agents. */
  public boolean exists() {
    return port > 0;
  }
}
