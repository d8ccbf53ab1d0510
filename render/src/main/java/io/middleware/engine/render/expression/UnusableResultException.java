package io.middleware.engine.render.expression;

/** The result of an expression cannot be part of an object. */
public class UnusableResultException extends Exception {
  private static final long serialVersionUID = 1L;

  UnusableResultException(String message) {
    super(message);
  }
}
