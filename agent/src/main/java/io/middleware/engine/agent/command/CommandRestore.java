package io.middleware.engine.agent.command;

import io.grpc.Status;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.restore.RestoreRequest;
import io.middleware.engine.agent.store.StoreSource;
import io.middleware.engine.agent.store.StoredCopy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the backup that a file names to the command {@code restore}, before the middleware starts.
 * The command knows whether its volume has data already.
 *
 * @param folder with the command
 * @param request the file that names the backup
 * @param place where the command runs
 */
public record CommandRestore(Path folder, StoreSource store, Path request, CommandPlace place) {
  private static final Logger LOG = LoggerFactory.getLogger(CommandRestore.class);
  private static final Duration BEFORE_KILL = Duration.ofSeconds(10);

  /** Returns what happened, for people. Failures are those of a store. */
  public String run() {
    return RestoreRequest.read(request)
        .map(this::restore)
        .orElseGet(() -> "nothing to restore: %s names no backup".formatted(request));
  }

  private String restore(RestoreRequest backup) {
    var parameters = Map.of("key", backup.key(), "checksum", backup.checksum());
    var asked = new ActionRequest("restore", parameters, Duration.ZERO, BEFORE_KILL);
    try (var opened = store.settings().open()) {
      var copy = new StoredCopy(opened, backup.key(), backup.checksum());
      var output =
          new CommandBackup(new CommandFolder(folder, place))
              .restore(copy, asked, (text, percent) -> LOG.info("{}", text));
      if (output.exitCode() != 0) {
        throw Status.FAILED_PRECONDITION
            .withDescription(
                "cannot restore %s: the command restore ended with exit code %d: %s"
                    .formatted(backup.key(), output.exitCode(), lastLine(output.output())))
            .asRuntimeException();
      }
      return "restored from %s: %s"
          .formatted(opened.location(backup.key()), lastLine(output.output()));
    }
  }

  private static String lastLine(String output) {
    return output.lines().filter(line -> !line.isBlank()).reduce("", (before, line) -> line);
  }
}
