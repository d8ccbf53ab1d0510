package io.middleware.engine.process.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** One server as a child process; its output goes to a file. */
final class ServerProcess implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final int LAST_LINES = 15;

  private final String name;
  private final Path log;
  private final Process process;

  private ServerProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  static ServerProcess start(Path folder, List<String> command) throws IOException {
    var name = Path.of(command.getFirst()).getFileName().toString();
    var log = folder.resolve(name + ".log");
    var process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return new ServerProcess(name, log, process);
  }

  /** Returns once the server is ready. */
  void await(BooleanSupplier ready) throws IOException, InterruptedException {
    var end = Instant.now().plus(START_LIMIT);
    while (!ready.getAsBoolean()) {
      if (!process.isAlive() || Instant.now().isAfter(end)) {
        throw new IllegalStateException(name + " does not start:\n" + lastLines());
      }
      Thread.sleep(POLL);
    }
  }

  /** A port of 127.0.0.1 that nobody listens on. */
  static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Deletes the folder of servers that have ended, with all that is in it. */
  static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private String lastLines() throws IOException {
    var lines = Files.readAllLines(log);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
  }

  /** Nothing it holds is kept, so it need not shut down gracefully. */
  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
  }
}
