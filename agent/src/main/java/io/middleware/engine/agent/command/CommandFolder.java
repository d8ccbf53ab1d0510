package io.middleware.engine.agent.command;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A folder with one file for each action, such as a mounted ConfigMap: its name is the name of the
 * action, its lines are the program and the arguments. A file that begins with {@code #!} is a
 * script, which its interpreter runs; it need not be executable. Read for each action, because a
 * mounted folder may change.
 *
 * @param place where its commands run
 */
record CommandFolder(Path folder, CommandPlace place) {
  private static final String SCRIPT = "#!";

  /** The program and its arguments; empty when there is no such action. */
  Optional<List<String>> command(String action) {
    if (!names().contains(action)) {
      return Optional.empty();
    }
    var lines = lines(folder.resolve(action));
    if (lines.isEmpty()) {
      throw refusal("the file %s is empty, but must name a program".formatted(action), null);
    }
    return Optional.of(
        lines.getFirst().startsWith(SCRIPT)
            ? interpreted(lines.getFirst(), folder.resolve(action))
            : lines);
  }

  /** As Linux does it: the rest of the line behind the interpreter is one argument. */
  private static List<String> interpreted(String line, Path file) {
    var words = line.substring(SCRIPT.length()).strip().split("\\s+", 2);
    if (words[0].isEmpty()) {
      throw refusal("the first line of %s names no interpreter".formatted(file), null);
    }
    return Stream.concat(Stream.of(words), Stream.of(file.toString())).toList();
  }

  /** The text of the file with this name; empty when there is none. */
  Optional<String> text(String name) {
    return names().contains(name)
        ? Optional.of(String.join("\n", lines(folder.resolve(name))))
        : Optional.empty();
  }

  /** Sorted. Hidden files are none: Kubernetes keeps its links there. */
  List<String> names() {
    try (var files = Files.list(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.startsWith("."))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw refusal("cannot read the folder of actions " + folder, e);
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw refusal("cannot read the action in " + file, e);
    }
  }

  private static StatusRuntimeException refusal(String why, IOException cause) {
    return Status.FAILED_PRECONDITION
        .withDescription(cause == null ? why : "%s: %s".formatted(why, cause))
        .withCause(cause)
        .asRuntimeException();
  }
}
