package io.middleware.engine.simulator.host;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * The file in which a process has written its pid. Only the command line of that process names the
 * folder of the file.
 */
record PidFile(Path path) {

  /** The process, if it runs. */
  Optional<ProcessHandle> process() {
    try {
      var pid = Long.parseLong(Files.readString(path).strip());
      return ProcessHandle.of(pid).filter(this::isOurs);
    } catch (IOException | NumberFormatException notWritten) {
      return Optional.empty();
    }
  }

  /** Checks the command line, because pids are reused. */
  private boolean isOurs(ProcessHandle candidate) {
    try {
      var command = Path.of("/proc", String.valueOf(candidate.pid()), "cmdline");
      return Files.readString(command).contains(path.getParent().toString());
    } catch (IOException gone) {
      return false;
    }
  }

  /** Waits for the end of a process. Returns whether it has ended within this time. */
  static boolean endsWithin(Duration timeout, ProcessHandle process) throws InterruptedException {
    try {
      process.onExit().get(timeout.toMillis(), MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("wait for the end of process " + process.pid(), e);
    }
  }
}
