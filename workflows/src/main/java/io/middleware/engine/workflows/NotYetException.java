package io.middleware.engine.workflows;

/**
 * A request came too early and may be repeated.
 *
 * <p>Deliberately none of Temporal's failures: up to version 1.38 the SDK drops their type where a
 * validator throws them (temporalio/sdk-java#2875). Clients see the name of this class as the type.
 */
final class NotYetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotYetException(String message) {
    super(message);
  }
}
