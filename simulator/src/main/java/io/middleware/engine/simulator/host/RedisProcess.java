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
 * The {@code redis-server} of one pod, as Redis or as Sentinel. It outlives this process, like
 * containers outlive the kubelet: the pid file, which it writes and removes itself, identifies it.
 */
final class RedisProcess {
  private static final String PID_FILE = "pid";
  private static final String PATH = System.getenv("PATH");
  private static final Duration KILL_TIMEOUT = Duration.ofSeconds(5);

  private final Path folder;
  private final Path log;
  private Optional<ProcessHandle> process;

  /**
   * @param folder of the pod
   * @param log file for the output
   */
  RedisProcess(Path folder, Path log) {
    this.folder = folder;
    this.log = log;
    this.process = findRunning();
  }

  boolean isRunning() {
    return process.filter(ProcessHandle::isAlive).isPresent();
  }

  /**
   * @param program the {@code redis-server} of the command
   * @param command that becomes the server, and accepts further arguments of the server
   */
  void start(Path program, List<String> command) throws IOException {
    Files.createDirectories(folder);
    Files.createDirectories(log.getParent());
    List<String> arguments = new ArrayList<>();
    // env sets the PATH by which it finds the program
    arguments.addAll(List.of("env", "PATH=" + program.getParent() + File.pathSeparator + PATH));
    arguments.addAll(command);
    // a process title would hide the pid file
    arguments.addAll(List.of("--pidfile", pidFile().toString(), "--set-proc-title", "no"));
    var started =
        new ProcessBuilder(arguments)
            .directory(folder.toFile())
            .redirectInput(Redirect.from(new File("/dev/null")))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()))
            .start();
    process = Optional.of(started.toHandle());
  }

  /** Sends SIGTERM, and SIGKILL after the timeout. */
  void stop(Duration timeout) throws InterruptedException {
    if (!isRunning()) {
      return;
    }
    var running = process.orElseThrow();
    running.destroy();
    if (!hasEnded(running, timeout)) {
      running.destroyForcibly();
      hasEnded(running, KILL_TIMEOUT);
    }
  }

  private static boolean hasEnded(ProcessHandle running, Duration timeout)
      throws InterruptedException {
    try {
      running.onExit().get(timeout.toMillis(), MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("wait for the end of process " + running.pid(), e);
    }
  }

  private Optional<ProcessHandle> findRunning() {
    try {
      var pid = Long.parseLong(Files.readString(pidFile()).strip());
      return ProcessHandle.of(pid).filter(this::isOurs);
    } catch (IOException | NumberFormatException notWritten) {
      return Optional.empty();
    }
  }

  /** Checks the command line, because pids are reused. */
  private boolean isOurs(ProcessHandle candidate) {
    try {
      var command = Path.of("/proc", String.valueOf(candidate.pid()), "cmdline");
      return Files.readString(command).contains(pidFile().toString());
    } catch (IOException gone) {
      return false;
    }
  }

  private Path pidFile() {
    return folder.resolve(PID_FILE);
  }
}
