package io.middleware.engine.agent.command;

import java.time.Duration;
import java.util.Map;

/**
 * What a file of the folder is called with.
 *
 * @param variables of its environment, besides those of the agent
 * @param text its standard input
 * @param timeout zero: as long as it needs
 * @param killTimeout how long it may take to end before it is killed
 */
record CommandInput(
    Map<String, String> variables, String text, Duration timeout, Duration killTimeout) {
  /** Protocol: a question has 5 s, and its answer must be on its way by then. */
  private static final Duration QUESTION = Duration.ofSeconds(4);

  private static final Duration BEFORE_KILL = Duration.ofSeconds(10);

  CommandInput {
    variables = Map.copyOf(variables);
  }

  static CommandInput question() {
    return question(QUESTION);
  }

  static CommandInput question(Duration limit) {
    return new CommandInput(Map.of(), "", limit, Duration.ZERO);
  }

  static CommandInput question(Map<String, String> variables, String text) {
    return new CommandInput(variables, text, QUESTION, Duration.ZERO);
  }

  /** Takes as long as it needs. */
  static CommandInput action(Map<String, String> variables) {
    return action(variables, "");
  }

  static CommandInput action(Map<String, String> variables, String text) {
    return new CommandInput(variables, text, Duration.ZERO, BEFORE_KILL);
  }
}
