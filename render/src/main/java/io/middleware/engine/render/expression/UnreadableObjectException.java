package io.middleware.engine.render.expression;

/** An object that an expression reads does not exist, or may not be read. */
public final class UnreadableObjectException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message names the object
   */
  public UnreadableObjectException(String message) {
    super(message, null, false, false);
  }

  /**
   * @param failure what the evaluation is to throw, unless the expression has a value without the
   *     object
   */
  public UnreadableObjectException(RuntimeException failure) {
    super(failure.getMessage(), failure, false, false);
  }
}
