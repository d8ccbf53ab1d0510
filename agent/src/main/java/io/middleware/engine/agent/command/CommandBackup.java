package io.middleware.engine.agent.command;

import io.grpc.Status;
import io.middleware.engine.agent.backup.BackedUpServer;
import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.store.BackupStorage;
import io.middleware.engine.agent.store.Measure;
import io.middleware.engine.agent.store.StoredCopy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Backups by commands: {@code backup} prints the data, {@code verify} and {@code restore} read
 * them. The store has a backup only when the command has ended well; a command that reads comes to
 * the end of its input only when the checksum is right, and is killed otherwise.
 */
record CommandBackup(CommandFolder folder) implements BackedUpServer {
  private static final int MIB = 1024 * 1024;
  private static final long REPORT_NANOS = Duration.ofSeconds(1).toNanos();

  @Override
  public ActionOutput write(
      BackupStorage store, String key, ActionRequest request, ProgressSink progress) {
    progress.report("asking " + store.location(key), 0);
    store.requireWritable(key);
    try (var command = StreamedCommand.writer("backup", line("backup"), request, folder.place())) {
      return outputOf(
          command,
          () -> {
            var measure = new Measure(everySoOften(command, progress));
            store.write(key, measure.of(command.output()));
            return Map.of(
                "key", key,
                "location", store.location(key),
                "size", String.valueOf(measure.size()),
                "checksum", measure.checksum());
          });
    }
  }

  @Override
  public ActionOutput verify(StoredCopy copy, ActionRequest request, ProgressSink progress) {
    return folder.command("verify").isEmpty()
        ? BackedUpServer.super.verify(copy, request, progress)
        : read("verify", copy, request, progress);
  }

  @Override
  public ActionOutput restore(StoredCopy copy, ActionRequest request, ProgressSink progress) {
    return read("restore", copy, request, progress);
  }

  /** A command that has failed is killed before the end of its input. */
  private ActionOutput read(
      String name, StoredCopy copy, ActionRequest request, ProgressSink progress) {
    try (var command = StreamedCommand.reader(name, line(name), request, folder.place())) {
      return outputOf(
          command,
          () -> {
            var input = command.input();
            var size = copy.copyTo(input, progress::report);
            input.close();
            command.requireSuccess();
            return BackedUpServer.described(copy, size).values();
          });
    }
  }

  private interface Transfer {
    Map<String, String> run() throws IOException;
  }

  private static ActionOutput outputOf(StreamedCommand command, Transfer transfer) {
    try {
      var values = transfer.run();
      command.close();
      return new ActionOutput(0, command.words(), values);
    } catch (CommandFailedException e) {
      command.close();
      if (e.exitCode() == CommandAnswer.REFUSED) {
        throw Status.FAILED_PRECONDITION
            .withDescription(command.lastLine())
            .withCause(e)
            .asRuntimeException();
      }
      return new ActionOutput(e.exitCode(), command.words(), Map.of());
    } catch (IOException e) {
      throw Status.UNAVAILABLE
          .withDescription("the stream of a command broke: " + e)
          .withCause(e)
          .asRuntimeException();
    }
  }

  private List<String> line(String name) {
    return folder
        .command(name)
        .orElseThrow(
            () ->
                Status.FAILED_PRECONDITION
                    .withDescription(
                        "this agent cannot %s: there is no file %s in %s"
                            .formatted(name, name, folder.folder()))
                    .asRuntimeException());
  }

  private static LongConsumer everySoOften(StreamedCommand command, ProgressSink progress) {
    var reported = new long[] {System.nanoTime()};
    return bytes -> {
      if (System.nanoTime() - reported[0] > REPORT_NANOS) {
        var words = command.lastLine();
        progress.report(words.isEmpty() ? "%d MiB written".formatted(bytes / MIB) : words, 0);
        reported[0] = System.nanoTime();
      }
    };
  }
}
