package io.middleware.engine.watcher.change;

/** Nobody can say anything about runs at the moment; it may be tried again. */
public final class RunsAwayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RunsAwayException(String message, Throwable cause) {
    super(message, cause);
  }
}
