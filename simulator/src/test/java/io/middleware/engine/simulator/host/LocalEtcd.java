package io.middleware.engine.simulator.host;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The etcd that dev/up has built for the API server. */
final class LocalEtcd {
  private static final String MISSING = "there is no etcd with etcdctl: dev/up builds one";

  private LocalEtcd() {}

  /**
   * The folder with etcd and etcdctl. Without them the test is skipped, but not where servers must
   * be there.
   */
  static Path folder() {
    var found = folders("etcd-v", "etcdctl").findFirst();
    assumeTrue(found.isPresent() || areRequired(), MISSING);
    return found.orElseThrow(() -> new IllegalStateException(MISSING));
  }

  /** That of pods of etcd; skips the test without it. */
  static Path folder(String version) {
    var found = folders(version, "etcdutl").findFirst();
    assumeTrue(found.isPresent(), "there is no " + version + ": dev/programs etcd builds it");
    return found.orElseThrow();
  }

  private static boolean areRequired() {
    return "true".equals(System.getenv("CI")) || "required".equals(System.getProperty("servers"));
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
    if (!Files.isDirectory(folder)) {
      return Stream.of();
    }
    try (var all = Files.list(folder)) {
      return all.sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
