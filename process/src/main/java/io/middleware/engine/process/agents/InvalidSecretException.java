package io.middleware.engine.process.agents;

/** A Secret that a Plugin names for its agents is not valid; the message says which one and why. */
public final class InvalidSecretException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InvalidSecretException(String name, String problem) {
    super(
        "Secret %s, which the Plugin names in spec.agent.tls, %s; it needs %s, %s and %s in PEM"
            .formatted(name, problem, TlsSecret.AUTHORITY, TlsSecret.CERTIFICATE, TlsSecret.KEY));
  }
}
