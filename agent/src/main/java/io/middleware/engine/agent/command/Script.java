package io.middleware.engine.agent.command;

import io.middleware.engine.agent.driver.ProgressSink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A command that answers: its standard output is for the agent, its standard error for people. When
 * a call ends, none of its processes is left.
 *
 * @param line the program and its arguments
 */
record Script(String name, List<String> line, CommandPlace place) implements CommandFile {
  private static final int KEPT_OUTPUT = 256 * 1024;

  @Override
  public CommandAnswer call(CommandInput input, ProgressSink progress) throws InterruptedException {
    var process =
        StartedCommand.start(
            "command " + name,
            line,
            input.variables(),
            builder -> {
              if (!input.text().isEmpty()) {
                builder.redirectInput(ProcessBuilder.Redirect.PIPE);
              }
            },
            place);
    var output = new OutputTail(KEPT_OUTPUT);
    var errors = new OutputTail();
    var readers =
        new Thread[] {
          process.reads(process.output(), output), process.reads(process.errors(), errors)
        };
    var ended = false;
    try {
      write(input.text(), process);
      ended = process.endsWithin(input.timeout(), progress, () -> lastLine(output, errors));
    } finally {
      process.end(input.killTimeout(), readers);
    }
    return new CommandAnswer(
        name, process.exitCode(), output.text(), lastLine(output, errors), !ended);
  }

  /** A command need not read its input. */
  private static void write(String text, StartedCommand process) {
    if (!text.isEmpty()) {
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                try (var input = process.input()) {
                  input.write(text.getBytes(StandardCharsets.UTF_8));
                } catch (IOException e) {
                  // it has ended, or closed its input: its exit code says whether that is right
                }
              });
    }
  }

  private static String lastLine(OutputTail output, OutputTail errors) {
    var line = errors.lastLine();
    return line.isEmpty() ? output.lastLine() : line;
  }
}
