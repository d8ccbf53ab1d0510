package io.middleware.engine.process.settings;

import java.util.List;

/**
 * The process must not start like this; the message names every problem, its place and what is
 * allowed.
 */
public final class SettingsException extends RuntimeException {
  private final List<String> problems;

  public SettingsException(List<String> problems) {
    super("the settings are wrong, nothing was started:\n  " + String.join("\n  ", problems), null);
    this.problems = List.copyOf(problems);
  }

  public SettingsException(String problem) {
    this(List.of(problem));
  }

  public List<String> problems() {
    return problems;
  }
}
