package io.middleware.engine.simulator.host;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The command of one container. It outlives this process, like containers outlive the kubelet: a
 * shell in a session of its own starts it, and leaves its pid and its exit code in a folder.
 */
final class ContainerProcess {
  /** The exit code of a command that was killed. */
  static final int KILLED = 137;

  /**
   * Prints nothing itself. Ends with whatever the command has left running, as the end of a
   * container does.
   */
  private static final String SCRIPT =
      """
      folder=$1
      shift
      echo $$ >"$folder/pid"
      exec 3>&2 2>/dev/null
      (exec "$@" 2>&3 3>&-)
      echo $? >"$folder/code.new" && mv "$folder/code.new" "$folder/code"
      kill -KILL -$$
      """;

  /** What a command keeps of this process: by the last one, dev/down knows it. */
  private static final Set<String> KEPT = Set.of("PATH", "LANG", "DEV_PROCESS_OF");

  private static final Duration START_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration KILL_TIMEOUT = Duration.ofSeconds(5);

  private final Path folder;
  private final Path log;
  private final PidFile pidFile;
  private final Path code;
  private Optional<ProcessHandle> started = Optional.empty();

  /**
   * @param folder for what it leaves
   * @param log file for the output
   */
  ContainerProcess(Path folder, Path log) {
    this.folder = folder;
    this.log = log;
    this.pidFile = new PidFile(folder.resolve("pid"));
    this.code = folder.resolve("code");
  }

  /** Also after it has ended. */
  boolean wasStarted() {
    return Files.exists(folder);
  }

  /** Starts it, also once more after it has ended. What it prints is added to the log. */
  void start(List<String> command, Map<String, String> variables, Path directory)
      throws IOException {
    new PodFolder(folder).remove();
    Files.createDirectories(log.getParent());
    Files.createDirectories(directory);
    Files.createDirectories(folder.getParent());
    Files.createDirectory(folder);
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("setsid", "/bin/sh", "-c", SCRIPT, "sh", folder.toString()));
    arguments.addAll(command);
    var builder =
        new ProcessBuilder(arguments)
            .directory(directory.toFile())
            .redirectInput(Redirect.from(new File("/dev/null")))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()));
    builder.environment().keySet().retainAll(KEPT);
    builder.environment().putAll(variables);
    started = Optional.of(builder.start().toHandle());
  }

  /** Whether it has been started, and has not ended. */
  boolean isRunning() throws IOException {
    return wasStarted() && exitCode().isEmpty();
  }

  /** The first process of the container; empty when there is none. */
  Optional<ProcessHandle> first() {
    return running().flatMap(shell -> shell.children().findFirst());
  }

  /** Empty while it runs; {@link #KILLED} when nobody knows how it has ended. */
  Optional<Integer> exitCode() throws IOException {
    var runs = running().isPresent() || isStarting(); // first: it may end in between
    if (Files.exists(code)) {
      return Optional.of(Integer.parseInt(Files.readString(code).strip()));
    }
    return runs ? Optional.empty() : Optional.of(KILLED);
  }

  Instant started() throws IOException {
    var first = Files.exists(pidFile.path()) ? pidFile.path() : folder;
    return Files.getLastModifiedTime(first).toInstant();
  }

  /** Sends SIGTERM, and SIGKILL after the timeout. */
  void stop(Duration timeout) throws InterruptedException {
    var shell = running();
    if (shell.isEmpty()) {
      return;
    }
    shell.get().children().forEach(ProcessHandle::destroy);
    if (!PidFile.endsWithin(timeout, shell.get())) {
      shell.get().descendants().forEach(ProcessHandle::destroyForcibly);
      PidFile.endsWithin(KILL_TIMEOUT, shell.get());
    }
  }

  /** The shell, while the command runs. */
  private Optional<ProcessHandle> running() {
    return pidFile
        .process()
        .or(() -> started.filter(ProcessHandle::isAlive))
        .filter(shell -> !Files.exists(code));
  }

  /** Started by an earlier simulator, just before it ended. */
  private boolean isStarting() throws IOException {
    return started.isEmpty()
        && !Files.exists(pidFile.path())
        && Files.getLastModifiedTime(folder)
            .toInstant()
            .isAfter(Instant.now().minus(START_TIMEOUT));
  }
}
