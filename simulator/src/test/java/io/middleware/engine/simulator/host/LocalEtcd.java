package io.middleware.engine.simulator.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The etcd that dev/up has built for the API server. */
final class LocalEtcd {
  private LocalEtcd() {}

  /** The folder with etcd and etcdctl. */
  static Path folder() {
    return folders("etcd-v", "etcdctl")
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException("there is no etcd with etcdctl: dev/up builds one"));
  }

  /** The same with etcdutl, where it has been built for pods of etcd. */
  static Optional<Path> withUtility() {
    return folders("etcd-3.6-v", "etcdutl").findFirst();
  }

  private static Stream<Path> folders(String version, String program) {
    var cache = Optional.ofNullable(System.getenv("XDG_CACHE_HOME"));
    var tools = Path.of(cache.orElse(System.getProperty("user.home") + "/.cache"));
    return Stream.concat(
            onPath(),
            children(tools.resolve("middleware-engine"))
                .filter(folder -> folder.getFileName().toString().startsWith(version)))
        .filter(folder -> Files.isExecutable(folder.resolve(program)));
  }

  private static Stream<Path> onPath() {
    return Stream.of(System.getenv("PATH").split(":", -1)).map(Path::of);
  }

  private static Stream<Path> children(Path folder) {
    try (var all = Files.list(folder)) {
      return all.sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
