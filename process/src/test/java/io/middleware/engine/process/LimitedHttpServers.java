package io.middleware.engine.process;

/**
 * The JDK reads the limits of its HTTP servers once, before the first one is made. A test that
 * makes one of its own must not be earlier than {@link HealthServer}, which sets them.
 */
public final class LimitedHttpServers {
  private LimitedHttpServers() {}

  /** Sets the limits, in whatever order tests run. */
  public static void begin() {
    try {
      Class.forName(HealthServer.class.getName());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
