package io.middleware.engine.e2e;

import java.util.ArrayList;
import java.util.List;

/** The command line tools that operators have for Temporal. */
public enum Cli {
  TEMPORAL(List.of("temporal", "workflow"), "--workflow-id"),
  TCTL(
      List.of(
          "tctl",
          "--address",
          Engine.variable("TEMPORAL_ADDRESS"),
          "--namespace",
          Engine.variable("TEMPORAL_NAMESPACE"),
          "workflow"),
      "--workflow_id");

  private final List<String> command;
  private final String id;

  Cli(List<String> command, String id) {
    this.command = command;
    this.id = id;
  }

  /**
   * Runs {@code workflow <arguments>} on the workflow of this id; fails with what the tool printed.
   */
  public void workflow(String workflow, String... arguments) {
    var line = new ArrayList<>(command);
    line.addAll(List.of(arguments));
    line.addAll(List.of(id, workflow));
    Engine.run(line);
  }
}
