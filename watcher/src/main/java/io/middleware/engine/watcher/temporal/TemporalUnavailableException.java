package io.middleware.engine.watcher.temporal;

import org.jspecify.annotations.Nullable;

/** Temporal does not answer or cannot answer yet; the caller may retry. */
public final class TemporalUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TemporalUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
