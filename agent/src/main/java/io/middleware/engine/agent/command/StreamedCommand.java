package io.middleware.engine.agent.command;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.driver.ActionRequest;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * A command whose input or output is a stream of any length. Calls on its streams can be
 * interrupted, which those on a pipe to a process cannot. After {@link #close} no process is left.
 */
final class StreamedCommand implements AutoCloseable {
  private static final int BUFFER = 64 * 1024;

  /** How much of the input may wait for the command. */
  private static final int CHUNKS = 4;

  private static final byte[] END = new byte[0];

  private final ActionRequest request;
  private final StartedCommand process;
  private final OutputTail words = new OutputTail();
  private final Thread reader;
  private final boolean isFed;
  private final Thread feeder = new Thread(this::feed);
  private final BlockingQueue<byte[]> chunks = new ArrayBlockingQueue<>(CHUNKS);
  private final PipedInputStream output = new PipedInputStream(BUFFER);
  private volatile boolean inputEnded;

  private StreamedCommand(
      ActionRequest request, StartedCommand process, InputStream forPeople, boolean isFed) {
    this.request = request;
    this.process = process;
    this.reader = process.reads(forPeople, words);
    this.isFed = isFed;
  }

  /** A command whose standard output is a stream. */
  static StreamedCommand writer(
      String name, List<String> line, ActionRequest request, CommandPlace place) {
    var process =
        StartedCommand.start("command " + name, line, variables(request), builder -> {}, place);
    return new StreamedCommand(request, process, process.errors(), false);
  }

  /** A command whose standard input is a stream. */
  static StreamedCommand reader(
      String name, List<String> line, ActionRequest request, CommandPlace place) {
    var process =
        StartedCommand.start(
            "command " + name,
            line,
            variables(request),
            builder ->
                builder.redirectInput(ProcessBuilder.Redirect.PIPE).redirectErrorStream(true),
            place);
    return new StreamedCommand(request, process, process.output(), true);
  }

  private static Map<String, String> variables(ActionRequest request) {
    return ParameterVariables.of(request.parameters());
  }

  /**
   * Ends as the command does: the end of a command that fails, or has written nothing, is a failure
   * of the stream.
   */
  InputStream output() throws IOException {
    var begin = new PipedOutputStream(output);
    Thread.ofPlatform().daemon().start(() -> pump(process.output(), begin));
    return new FilterInputStream(output) {
      private boolean isEmpty = true;

      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        try {
          var count = in.read(buffer, offset, length);
          if (count < 0) {
            requireSuccess();
            requireContent(isEmpty);
          }
          isEmpty = false;
          return count;
        } catch (InterruptedIOException e) {
          throw interrupted(e);
        }
      }

      @Override
      public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
      }
    };
  }

  /**
   * Its close is the end of the command's input; without it there is none, until the command is
   * killed. Any thread may write. A command need not read all of it.
   */
  OutputStream input() {
    feeder.setDaemon(true);
    feeder.start();
    return new OutputStream() {
      @Override
      public void write(byte[] buffer, int offset, int length) {
        if (process.hasFailed()) {
          requireSuccess();
        }
        put(Arrays.copyOfRange(buffer, offset, offset + length));
      }

      @Override
      public void write(int one) {
        write(new byte[] {(byte) one}, 0, 1);
      }

      @Override
      public void close() {
        inputEnded = true;
        put(END);
      }
    };
  }

  private void put(byte[] chunk) {
    try {
      chunks.put(chunk);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private void feed() {
    try {
      var taken = true;
      for (var chunk = chunks.take(); chunk != END; chunk = chunks.take()) {
        taken = taken && write(process.input(), chunk, chunk.length);
      }
      process.input().close();
    } catch (InterruptedException | IOException e) {
      // the command is killed, or has ended before its input
    }
  }

  /** Copies all of the source, also when nobody takes it any more. */
  private static void pump(InputStream source, OutputStream target) {
    var buffer = new byte[BUFFER];
    var taken = true;
    try (source;
        target) {
      for (var read = source.read(buffer); read >= 0; read = source.read(buffer)) {
        taken = taken && write(target, buffer, read);
      }
    } catch (IOException e) {
      // one of both is closed: who reads or waits for the command finds out why
    }
  }

  private static boolean write(OutputStream target, byte[] buffer, int count) {
    try {
      target.write(buffer, 0, count);
      target.flush();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Whoever waits to write into it goes on. */
  private void closeOutput() {
    try {
      output.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void requireContent(boolean isEmpty) {
    if (isEmpty) {
      throw Status.FAILED_PRECONDITION
          .withDescription("the command %s has written nothing".formatted(request.name()))
          .asRuntimeException();
    }
  }

  /** Waits for the end of the command, and fails when it has failed. */
  void requireSuccess() {
    try {
      var exitCode = process.exitCode();
      if (exitCode != 0) {
        throw new CommandFailedException(
            exitCode,
            Status.UNAVAILABLE.withDescription(
                "%s ended with exit code %d".formatted(request.name(), exitCode)));
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Fails as the stores do. */
  private StatusRuntimeException interrupted(Exception cause) {
    Thread.currentThread().interrupt();
    return Status.UNAVAILABLE
        .withDescription("the %s was interrupted".formatted(request.name()))
        .withCause(cause)
        .asRuntimeException();
  }

  /** What it has printed for people; complete after {@link #close}. */
  String words() {
    return words.text();
  }

  String lastLine() {
    return words.lastLine();
  }

  /**
   * Ends what is left of it, also in an interrupted thread. At once where its input was cut off: a
   * shell that only a SIGTERM interrupts may go on as if the input were complete.
   */
  @Override
  public void close() {
    var interrupted = Thread.interrupted();
    try {
      process.end(isFed && !inputEnded ? Duration.ZERO : request.killTimeout(), reader);
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      feeder.interrupt();
      closeOutput();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
