package io.middleware.engine.process.settings;

import java.util.List;
import java.util.Map;

/** The command line and the environment of a process. */
public record ProcessArguments(List<String> arguments, Map<String, String> environment) {
  public ProcessArguments {
    arguments = List.copyOf(arguments);
    environment = Map.copyOf(environment);
  }
}
