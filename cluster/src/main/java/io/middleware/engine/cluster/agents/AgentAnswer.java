package io.middleware.engine.cluster.agents;

/** The result of a query to agents. */
sealed interface AgentAnswer<T> {
  /**
   * @param by the pod whose agent answered
   */
  record AnswerGiven<T>(T value, String by) implements AgentAnswer<T> {}

  /**
   * No agent can answer now, or ever.
   *
   * @param lasting whether asking again would not help: there is nobody to ask, or no agent knows
   *     the question
   */
  record AnswerMissing<T>(String why, boolean lasting) implements AgentAnswer<T> {}

  /** An agent says that the query is not valid, or cannot be answered in the middleware's state. */
  record AnswerRefused<T>(String why) implements AgentAnswer<T> {}
}
