package io.middleware.engine.workflows.port;

import static java.util.Objects.requireNonNullElse;

/**
 * Where the agents of a component's pods listen, each at its pod's address.
 *
 * @param port 0 when the pods have no agents
 * @param tlsSecret name of the Secret in the engine's namespace with the certificates by which
 *     engine and agents know each other; empty when they speak in clear
 */
public record AgentEndpoint(int port, String tlsSecret) {
  /** Of pods without agents. */
  public static final AgentEndpoint NONE = new AgentEndpoint(0, "");

  public AgentEndpoint {
    tlsSecret = requireNonNullElse(tlsSecret, "");
  }

  /** Whether there is anyone to speak to. */
  public boolean exists() {
    return port > 0;
  }
}
