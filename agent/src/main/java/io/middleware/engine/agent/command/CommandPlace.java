package io.middleware.engine.agent.command;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Where commands run and requests go: the container of the agent. Who plays the agents of several
 * containers says how to get into one.
 *
 * @param environment of all that runs there
 * @param entry turns a command into the one that runs it there
 * @param address that stands there for 127.0.0.1
 * @param orphans what processes of commands may leave behind
 */
public record CommandPlace(
    Supplier<Map<String, String>> environment,
    UnaryOperator<List<String>> entry,
    String address,
    Orphans orphans) {
  /** The address of a pod for itself. */
  static final String LOCAL = "127.0.0.1";

  /** Another container than that of this process. */
  public static CommandPlace inside(
      Supplier<Map<String, String>> environment,
      UnaryOperator<List<String>> entry,
      String address) {
    return new CommandPlace(environment, entry, address, Orphans.none());
  }

  /** The container of this process. */
  public static CommandPlace here() {
    return here(Orphans.none());
  }

  static CommandPlace here(Orphans orphans) {
    return new CommandPlace(System::getenv, UnaryOperator.identity(), LOCAL, orphans);
  }

  /** The command with the environment of this place, and nothing of that of this process. */
  ProcessBuilder builder(List<String> command) {
    var builder = new ProcessBuilder(entry.apply(command));
    builder.environment().clear();
    builder.environment().putAll(environment.get());
    return builder;
  }
}
