package io.middleware.engine.activities.render;

/** The result of an expression cannot be part of an object. */
class UnusableResultException extends Exception {
  private static final long serialVersionUID = 1L;

  UnusableResultException(String message) {
    super(message);
  }
}
