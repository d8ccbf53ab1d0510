package io.middleware.engine.workflows.history;

import io.middleware.engine.workflows.ChangeEnvironment;
import io.temporal.common.WorkflowExecutionHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The recorded histories, with a folder for each release; those since the last one are beside the
 * folders.
 */
public final class Histories {
  private static final Path FOLDER = Path.of("src/test/resources/histories");

  /** By the first word of its name, the workflow of a history that is not of an App's change. */
  private static final Map<String, String> IDS =
      Map.of(
          "operation", "op/shop/report-1",
          "backup", "backup/shop/now",
          "removal", "backup/shop/now/removal",
          "test", "test/shop/upgrade",
          "load", "load/shop/benchmark",
          "secrets", "secrets/middleware-system");

  private Histories() {}

  static Stream<Path> all() throws IOException {
    try (var files = Files.walk(FOLDER)) {
      return files.filter(Files::isRegularFile).sorted().toList().stream();
    }
  }

  public static WorkflowExecutionHistory read(Path file) throws IOException {
    return WorkflowExecutionHistory.fromJson(
        Files.readString(file), workflowId(file.getFileName().toString()));
  }

  /**
   * @param name of a history, such as {@code operation-failed}
   */
  public static String workflowId(String name) {
    return IDS.getOrDefault(name.split("[-.]", 2)[0], ChangeEnvironment.ID);
  }

  /** Whether {@code -DrecordHistories} asks for it. */
  public static boolean isWanted(String name) {
    return name.matches(System.getProperty("recordHistories"));
  }

  /** A recorded history is never replaced. */
  public static void write(String name, WorkflowExecutionHistory history) throws IOException {
    Files.createDirectories(FOLDER);
    Files.writeString(
        FOLDER.resolve(name + ".json"), history.toJson(true), StandardOpenOption.CREATE_NEW);
  }
}
