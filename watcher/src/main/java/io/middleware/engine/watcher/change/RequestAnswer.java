package io.middleware.engine.watcher.change;

/** The answer of a run to a control request. */
public sealed interface RequestAnswer {

  /** The request is accepted; the message is the run's own. */
  record Accepted(String message) implements RequestAnswer {}

  /** The request is refused, and nothing has changed. */
  record Refused(String reason) implements RequestAnswer {}

  /** The run has not begun yet, or still plans; the request may be sent again in a moment. */
  record NotYet() implements RequestAnswer {}

  /** The App has no open run. */
  record NoRun() implements RequestAnswer {}
}
