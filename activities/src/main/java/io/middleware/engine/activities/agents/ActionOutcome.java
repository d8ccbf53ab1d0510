package io.middleware.engine.activities.agents;

/** What came of asking an agent to act. */
public sealed interface ActionOutcome<T> {
  /** It is done. */
  record Done<T>(T value) implements ActionOutcome<T> {}

  /**
   * The middleware does not do it; asking again is no use.
   *
   * @param why in the agent's words, and whose they are
   */
  record Refused<T>(String why) implements ActionOutcome<T> {}

  /** The agent knows no such action. */
  record Unknown<T>(String why) implements ActionOutcome<T> {}

  /** Nothing came of several tries: it may be done or not. */
  record Unanswered<T>(String why) implements ActionOutcome<T> {}
}
