package io.middleware.engine.process.agents;

/** A Secret that a Plugin names for its agents does not hold what it must; says which, and what. */
public final class InvalidSecretException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InvalidSecretException(String name, String how) {
    super(
        "Secret %s, which the Plugin names in spec.agent.tls, %s; it needs %s, %s and %s in PEM"
            .formatted(name, how, TlsSecret.AUTHORITY, TlsSecret.CERTIFICATE, TlsSecret.KEY));
  }
}
