package io.middleware.engine.watcher.change;

/** What became of a request to a run. */
public sealed interface RequestAnswer {

  /** It is granted; the words are the run's own. */
  record Accepted(String words) implements RequestAnswer {}

  /** It is not, and nothing has changed. */
  record Refused(String reason) implements RequestAnswer {}

  /** The run has not begun yet; it may be asked again in a moment. */
  record NotYet() implements RequestAnswer {}

  /** The App has no open run that could answer. */
  record NoRun() implements RequestAnswer {}
}
