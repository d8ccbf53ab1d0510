package io.middleware.engine.simulator.host;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * The {@code redis-server} of one pod, which is a Sentinel or not. It outlives this process, as
 * containers outlive the kubelet: its pid file, which it writes and removes itself, leads back to
 * it.
 */
final class RedisProcess {
  private static final String PID_FILE = "pid";
  private static final String PATH = System.getenv("PATH");
  private static final Duration AFTER_KILL = Duration.ofSeconds(5);

  private final Path run;
  private final Path log;
  private Optional<ProcessHandle> known;

  /**
   * @param run folder of the pod
   * @param log where the output goes
   */
  RedisProcess(Path run, Path log) {
    this.run = run;
    this.log = log;
    this.known = fromBefore();
  }

  boolean isRunning() {
    return known.filter(ProcessHandle::isAlive).isPresent();
  }

  /**
   * @param program what {@code redis-server} means in the command
   * @param command that becomes the server, and takes further arguments of it
   */
  void start(Path program, List<String> command) throws IOException {
    Files.createDirectories(run);
    Files.createDirectories(log.getParent());
    List<String> words = new ArrayList<>();
    // finds the program by the PATH it sets, as this process could not
    words.addAll(List.of("env", "PATH=" + program.getParent() + File.pathSeparator + PATH));
    words.addAll(command);
    // a title would hide whose it is
    words.addAll(List.of("--pidfile", pidFile().toString(), "--set-proc-title", "no"));
    var process =
        new ProcessBuilder(words)
            .directory(run.toFile())
            .redirectInput(Redirect.from(new File("/dev/null")))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()))
            .start();
    known = Optional.of(process.toHandle());
  }

  /** Asks it to end, and insists after the patience given. */
  void stop(Duration patience) throws InterruptedException {
    if (!isRunning()) {
      return;
    }
    var process = known.orElseThrow();
    process.destroy();
    if (!hasEnded(process, patience)) {
      process.destroyForcibly();
      hasEnded(process, AFTER_KILL);
    }
  }

  private static boolean hasEnded(ProcessHandle process, Duration patience)
      throws InterruptedException {
    try {
      process.onExit().get(patience.toMillis(), MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("wait for the end of process " + process.pid(), e);
    }
  }

  private Optional<ProcessHandle> fromBefore() {
    try {
      var pid = Long.parseLong(Files.readString(pidFile()).strip());
      return ProcessHandle.of(pid).filter(this::isOurs);
    } catch (IOException | NumberFormatException notWritten) {
      return Optional.empty();
    }
  }

  /** A pid is used again one day. */
  private boolean isOurs(ProcessHandle process) {
    try {
      var command = Path.of("/proc", String.valueOf(process.pid()), "cmdline");
      return Files.readString(command).contains(pidFile().toString());
    } catch (IOException gone) {
      return false;
    }
  }

  private Path pidFile() {
    return run.resolve(PID_FILE);
  }
}
