package io.middleware.engine.process.settings;

import java.util.List;

/**
 * The settings are not valid, so the process must not start; the message names every problem, its
 * place and what is expected.
 */
public final class SettingsException extends RuntimeException {
  private final List<String> problems;

  public SettingsException(List<String> problems) {
    super(
        "the settings are not valid, the process did not start:\n  "
            + String.join("\n  ", problems),
        null);
    this.problems = List.copyOf(problems);
  }

  public SettingsException(String problem) {
    this(List.of(problem));
  }

  public List<String> problems() {
    return problems;
  }
}
