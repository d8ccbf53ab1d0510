package io.middleware.engine.api;

/** Names of the Secrets in which the engine keeps what it makes for a component. */
public final class GeneratedSecrets {
  private GeneratedSecrets() {}

  /** With the values of parameters. */
  public static String ofParameters(String app, String component) {
    return "%s-%s-generated".formatted(app, component);
  }

  /** With the passwords of accounts. */
  public static String ofAccounts(String app, String component) {
    return "%s-%s-accounts".formatted(app, component);
  }
}
