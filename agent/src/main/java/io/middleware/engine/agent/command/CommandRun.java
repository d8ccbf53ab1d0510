package io.middleware.engine.agent.command;

import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.driver.ProgressSink;
import java.util.List;
import java.util.Map;

/**
 * One run of an action's command. When it returns or throws, no process of the command is left:
 *
 * <ol>
 *   <li>The command runs until it ends, its time is over, or the thread is interrupted.
 *   <li>What is left of it then gets SIGTERM, and after the kill timeout SIGKILL.
 * </ol>
 */
final class CommandRun {
  private final ActionRequest request;
  private final OutputTail output = new OutputTail();
  private final StartedCommand process;
  private final Thread reader;

  private CommandRun(ActionRequest request, StartedCommand process) {
    this.request = request;
    this.process = process;
    this.reader = process.reads(process.output(), output);
  }

  /**
   * @param command the program and its arguments, which no shell evaluates
   */
  static CommandRun start(ActionRequest request, List<String> command, CommandPlace place) {
    return new CommandRun(
        request,
        StartedCommand.start(
            "action " + request.name(),
            command,
            ParameterVariables.of(request.parameters()),
            builder -> builder.redirectErrorStream(true),
            place));
  }

  ActionOutput await(ProgressSink progress) throws InterruptedException {
    var ended = false;
    try {
      ended = process.endsWithin(request.timeout(), progress, output::lastLine);
    } finally {
      process.end(request.killTimeout(), reader);
    }
    return new ActionOutput(process.exitCode(), output.text(), Map.of(), !ended);
  }
}
