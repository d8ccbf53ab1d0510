package io.middleware.engine.agent.redis;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** A {@code redis-server} on a loopback address of its own, as the plugin starts it. */
final class RealRedis implements AutoCloseable {
  private final Path program;
  private final Path folder;
  private final Peer peer;
  private Process process;

  RealRedis(Peer peer, Path folder) {
    this.program = program();
    this.peer = peer;
    this.folder = folder.resolve(peer.pod());
    start();
  }

  /** Skips the test where there is none: {@code dev/up} brings one. */
  private static Path program() {
    var cache =
        Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
            .orElse(System.getProperty("user.home") + "/.cache");
    var found =
        Stream.concat(
                Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)),
                Stream.of(cache + "/middleware-engine/redis"))
            .map(place -> Path.of(place, "redis-server"))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(found.isPresent(), "no redis-server here");
    return found.orElseThrow();
  }

  void start() {
    try {
      Files.createDirectories(folder);
      process =
          new ProcessBuilder(
                  program.toString(),
                  "--port",
                  String.valueOf(peer.port()),
                  "--bind",
                  peer.host(),
                  "--replica-announce-ip",
                  peer.host(),
                  "--dir",
                  folder.toString(),
                  "--replicaof",
                  "127.0.0.1",
                  "1",
                  "--repl-diskless-sync-delay",
                  "0")
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("log").toFile())
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As the kubelet does it. */
  void stop() {
    process.destroy();
    process.onExit().join();
  }

  /** Alive, but deaf; until it is thawed or killed. */
  void freeze() {
    signal("-STOP");
  }

  void thaw() {
    signal("-CONT");
  }

  private void signal(String signal) {
    try {
      new ProcessBuilder("kill", signal, String.valueOf(process.pid())).start().onExit().join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
