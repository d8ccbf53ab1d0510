package io.middleware.engine.e2e;

/**
 * How often a test tries what is left to chance: a few trials do for a change, and {@code dev/test
 * --long} has them all.
 */
public final class Trials {
  private static final boolean ALL = "true".equals(System.getenv("LONG_TESTS"));

  private Trials() {}

  /** The first of these numbers, or in a long run the second. */
  public static int of(int usual, int all) {
    return ALL ? all : usual;
  }
}
