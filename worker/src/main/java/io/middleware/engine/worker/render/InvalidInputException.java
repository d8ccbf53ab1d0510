package io.middleware.engine.worker.render;

import java.util.List;

/** An input file is not valid; caught where the command ends. */
final class InvalidInputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> lines;

  /**
   * @param lines messages that name the problem, its file and the remedy
   */
  InvalidInputException(List<String> lines) {
    super(String.join("\n", lines), null, false, false);
    this.lines = List.copyOf(lines);
  }

  InvalidInputException(String line) {
    this(List.of(line));
  }

  List<String> lines() {
    return lines;
  }
}
