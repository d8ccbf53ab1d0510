package io.middleware.engine.cluster.agents;

/** What became of a question to one agent. */
public sealed interface Measured {
  /** In one line. */
  record Answered(String answer) implements Measured {}

  /** The agent does not know the question, or its middleware is in no state to answer it. */
  record Refused(String why) implements Measured {}

  /** The agent has not answered, or cannot answer any question. */
  record Unanswered(String why) implements Measured {}
}
