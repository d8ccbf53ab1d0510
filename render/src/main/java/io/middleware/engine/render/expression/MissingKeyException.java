package io.middleware.engine.render.expression;

/** An expression reads a key that the map does not have. */
final class MissingKeyException extends UnusableResultException {
  private static final long serialVersionUID = 1L;

  MissingKeyException(String message) {
    super(message);
  }
}
