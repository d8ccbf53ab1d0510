package io.middleware.engine.agent.command;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.grpc.Status;
import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.driver.ProgressSink;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * One run of an action's command. When it returns or throws, no process of the command is left:
 *
 * <ol>
 *   <li>The command runs until it ends, its time is over, or the thread is interrupted.
 *   <li>What is left of it then gets SIGTERM, and after the kill timeout SIGKILL.
 * </ol>
 */
final class CommandRun {
  private static final Duration BETWEEN_REPORTS = Duration.ofSeconds(1);
  private static final Duration END_OF_OUTPUT = Duration.ofSeconds(5);
  private static final File NO_INPUT = new File("/dev/null");

  private final ActionRequest request;
  private final OutputTail output = new OutputTail();
  private final Process process;
  private final ProcessTree tree;
  private final Orphans orphans;
  private final Thread reader;

  private CommandRun(ActionRequest request, Process process, String mark, Orphans orphans) {
    this.request = request;
    this.process = process;
    this.orphans = orphans;
    this.tree = new ProcessTree(process.toHandle(), mark, orphans);
    this.reader =
        Thread.ofPlatform()
            .daemon()
            .name("output of " + request.name())
            .start(() -> output.readFrom(process.getInputStream()));
  }

  /**
   * @param command the program and its arguments, which no shell evaluates
   */
  static CommandRun start(ActionRequest request, List<String> command, Orphans orphans) {
    var variables = ParameterVariables.of(request.parameters());
    var mark = UUID.randomUUID().toString();
    var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectInput(NO_INPUT);
    builder.environment().putAll(variables);
    builder.environment().putAll(Map.of(ProcessTree.MARK, mark));
    try {
      return new CommandRun(request, orphans.start(builder), mark, orphans);
    } catch (IOException e) {
      throw Status.FAILED_PRECONDITION
          .withDescription("cannot start the action %s: %s".formatted(request.name(), e))
          .withCause(e)
          .asRuntimeException();
    }
  }

  ActionOutput await(ProgressSink progress) throws InterruptedException {
    var ended = false;
    try {
      ended = endsInTime(progress);
    } finally {
      end();
    }
    return new ActionOutput(process.waitFor(), output.text(), Map.of(), !ended);
  }

  private boolean endsInTime(ProgressSink progress) throws InterruptedException {
    var begin = System.nanoTime();
    var timeout = request.timeout();
    while (true) {
      var ran = Duration.ofNanos(System.nanoTime() - begin);
      var left = timeout.isZero() ? BETWEEN_REPORTS : timeout.minus(ran);
      if (!left.isPositive()) {
        return !process.isAlive();
      }
      if (process.waitFor(
          Math.min(left.toMillis() + 1, BETWEEN_REPORTS.toMillis()), MILLISECONDS)) {
        return true;
      }
      progress.report(output.lastLine(), 0);
    }
  }

  private void end() throws InterruptedException {
    var gone = tree.end(request.killTimeout());
    orphans.ended(process.toHandle());
    reader.join(gone ? END_OF_OUTPUT : Duration.ZERO);
    if (!gone) {
      throw Status.UNAVAILABLE
          .withDescription(
              "a process of the action %s does not end even after SIGKILL"
                  .formatted(request.name()))
          .asRuntimeException();
    }
  }
}
