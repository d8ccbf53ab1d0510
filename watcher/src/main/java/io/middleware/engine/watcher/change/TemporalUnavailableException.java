package io.middleware.engine.watcher.change;

/** Nobody can say anything about runs at the moment; it may be tried again. */
public final class TemporalUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TemporalUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
