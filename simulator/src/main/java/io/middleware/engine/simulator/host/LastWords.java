package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Container;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The termination message of a container.
 *
 * @param message the file that the container may have written
 * @param log what it has printed
 */
record LastWords(Path message, Path log) {
  private static final int LONGEST_MESSAGE = 4096;
  private static final int LONGEST_END_OF_LOG = 2048;
  private static final int LINES_OF_LOG = 80;
  private static final String LOG_ON_ERROR = "FallbackToLogsOnError";

  /** Empty text without any. */
  String of(Container container, int exitCode) throws IOException {
    var text = end(message, LONGEST_MESSAGE);
    if (!text.isEmpty()
        || exitCode == 0
        || !LOG_ON_ERROR.equals(container.getTerminationMessagePolicy())) {
      return text;
    }
    List<String> lines = end(log, LONGEST_END_OF_LOG).lines().toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES_OF_LOG), lines.size()));
  }

  private static String end(Path file, int longest) throws IOException {
    if (!Files.exists(file)) {
      return "";
    }
    try (var in = Files.newInputStream(file)) {
      in.skipNBytes(Math.max(0, Files.size(file) - longest));
      return new String(in.readNBytes(longest), StandardCharsets.UTF_8);
    }
  }
}
