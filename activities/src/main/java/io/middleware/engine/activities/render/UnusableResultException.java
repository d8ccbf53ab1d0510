package io.middleware.engine.activities.render;

/** An expression gave a value that has no place in an object. */
final class UnusableResultException extends Exception {
  private static final long serialVersionUID = 1L;

  UnusableResultException(String message) {
    super(message);
  }
}
