package io.middleware.engine.activities.agents;

/** What came of asking. */
sealed interface OrderAnswer<T> {
  /**
   * @param by the pod whose agent answered
   */
  record Given<T>(T value, String by) implements OrderAnswer<T> {}

  /** Nobody can answer at present, or at all. */
  record Missing<T>(String why) implements OrderAnswer<T> {}

  /** An agent says that the question is wrong, or has no answer in the middleware's state. */
  record Refused<T>(String why) implements OrderAnswer<T> {}
}
