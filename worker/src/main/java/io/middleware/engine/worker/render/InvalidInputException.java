package io.middleware.engine.worker.render;

import java.util.List;

/** A file is not what it should be; caught where the command ends. */
final class InvalidInputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> lines;

  /**
   * @param lines for people: what is wrong, where, and what to do
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
