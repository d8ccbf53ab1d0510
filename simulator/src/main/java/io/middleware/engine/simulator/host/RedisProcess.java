package io.middleware.engine.simulator.host;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The {@code redis-server} of one pod, as Redis or as Sentinel. It outlives this process, like
 * containers outlive the kubelet: the pid file, which it writes and removes itself, identifies it.
 */
final class RedisProcess {
  private static final String PID_FILE = "pid";
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
    this.process = new PidFile(pidFile()).process();
  }

  boolean isRunning() {
    return process.filter(ProcessHandle::isAlive).isPresent();
  }

  /**
   * @param command that becomes the server, and accepts further arguments of the server
   * @param variables of the container, with the PATH by which the command finds its programs
   */
  void start(List<String> command, Map<String, String> variables) throws IOException {
    Files.createDirectories(folder);
    Files.createDirectories(log.getParent());
    List<String> arguments = new ArrayList<>();
    arguments.add("env"); // finds the command by the new PATH
    arguments.addAll(command);
    // a process title would hide the pid file
    arguments.addAll(List.of("--pidfile", pidFile().toString(), "--set-proc-title", "no"));
    var builder =
        new ProcessBuilder(arguments)
            .directory(folder.toFile())
            .redirectInput(Redirect.from(new File("/dev/null")))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()));
    builder.environment().putAll(variables);
    process = Optional.of(builder.start().toHandle());
  }

  /** Sends SIGTERM, and SIGKILL after the timeout. */
  void stop(Duration timeout) throws InterruptedException {
    if (!isRunning()) {
      return;
    }
    var running = process.orElseThrow();
    running.destroy();
    if (!PidFile.endsWithin(timeout, running)) {
      running.destroyForcibly();
      PidFile.endsWithin(KILL_TIMEOUT, running);
    }
  }

  private Path pidFile() {
    return folder.resolve(PID_FILE);
  }
}
