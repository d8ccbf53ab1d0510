package io.middleware.engine.agent.command;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.grpc.Status;
import io.middleware.engine.agent.driver.ProgressSink;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A started command. After {@link #end} none of its processes is left. */
final class StartedCommand {
  private static final Duration BETWEEN_REPORTS = Duration.ofSeconds(1);
  private static final Duration END_OF_OUTPUT = Duration.ofSeconds(5);
  private static final File NO_INPUT = new File("/dev/null");

  private final String name;
  private final Process process;
  private final ProcessTree tree;
  private final Orphans orphans;

  private StartedCommand(String name, Process process, String mark, Orphans orphans) {
    this.name = name;
    this.process = process;
    this.tree = new ProcessTree(process.toHandle(), mark, orphans);
    this.orphans = orphans;
  }

  /**
   * @param name for people
   * @param line the program and its arguments, which no shell evaluates
   * @param streams says where standard input, output and error lead to; without it input is empty
   * @param place where it runs
   */
  static StartedCommand start(
      String name,
      List<String> line,
      Map<String, String> variables,
      Consumer<ProcessBuilder> streams,
      CommandPlace place) {
    var mark = UUID.randomUUID().toString();
    var builder = place.builder(line).redirectInput(NO_INPUT);
    builder.environment().putAll(variables);
    builder.environment().put(ProcessTree.MARK, mark);
    streams.accept(builder);
    try {
      var orphans = place.orphans();
      return new StartedCommand(name, orphans.start(builder), mark, orphans);
    } catch (IOException e) {
      throw Status.FAILED_PRECONDITION
          .withDescription("cannot start the %s: %s".formatted(name, e))
          .withCause(e)
          .asRuntimeException();
    }
  }

  OutputStream input() {
    return process.getOutputStream();
  }

  InputStream output() {
    return process.getInputStream();
  }

  /** Reads a stream of the process to its end, in a thread of its own. */
  Thread reads(InputStream stream, OutputTail into) {
    return Thread.ofPlatform()
        .daemon()
        .name("output of " + name)
        .start(() -> into.readFrom(stream));
  }

  InputStream errors() {
    return process.getErrorStream();
  }

  /**
   * Waits for the end of the program, and reports each second.
   *
   * @param timeout zero: as long as it takes
   * @return false when the time is over
   */
  boolean endsWithin(Duration timeout, ProgressSink progress, Supplier<String> lastLine)
      throws InterruptedException {
    var begin = System.nanoTime();
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
      progress.report(lastLine.get(), 0);
    }
  }

  /**
   * Ends what is left of it: by SIGTERM, and after the kill timeout by SIGKILL.
   *
   * @param readers which are at the end of what it has printed then
   */
  void end(Duration killTimeout, Thread... readers) throws InterruptedException {
    var gone = tree.end(killTimeout);
    orphans.ended(process.toHandle());
    for (var reader : readers) {
      reader.join(gone ? END_OF_OUTPUT : Duration.ZERO);
    }
    if (!gone) {
      throw Status.UNAVAILABLE
          .withDescription("a process of the %s does not end even after SIGKILL".formatted(name))
          .asRuntimeException();
    }
  }

  /** Whether the program has ended already, and not well. */
  boolean hasFailed() {
    return !process.isAlive() && process.exitValue() != 0;
  }

  /** Of the program, when it has ended. */
  int exitCode() throws InterruptedException {
    return process.waitFor();
  }
}
