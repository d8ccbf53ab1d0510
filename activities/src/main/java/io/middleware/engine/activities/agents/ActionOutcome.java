package io.middleware.engine.activities.agents;

/** The result of an action that an agent was asked for. */
public sealed interface ActionOutcome<T> {
  /** The action is done. */
  record ActionDone<T>(T value) implements ActionOutcome<T> {}

  /**
   * The middleware refuses; a retry would not help.
   *
   * @param why names the agent and quotes its message
   */
  record ActionRefused<T>(String why) implements ActionOutcome<T> {}

  /** The agent does not implement the action. */
  record ActionUnknown<T>(String why) implements ActionOutcome<T> {}

  /** Every attempt failed without an answer: the action may be done or not. */
  record ActionUnanswered<T>(String why) implements ActionOutcome<T> {}
}
