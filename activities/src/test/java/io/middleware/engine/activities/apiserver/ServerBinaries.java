package io.middleware.engine.activities.apiserver;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Where etcd and kube-apiserver are: in the cache that {@code dev/up} fills, or on the PATH. */
record ServerBinaries(Path etcd, Path apiServer) {
  private static final Path TOOLS = Path.of("..", "dev", "tools");

  /** Empty when one of them is missing. */
  static Optional<ServerBinaries> find() {
    var etcd = find("etcd", "go.etcd.io/etcd/server/v3", "etcd");
    var apiServer = find("kubernetes", "k8s.io/kubernetes", "kube-apiserver");
    return etcd.flatMap(one -> apiServer.map(other -> new ServerBinaries(one, other)));
  }

  private static Optional<Path> find(String tool, String module, String binary) {
    var built = cache().resolve(tool + "-" + version(tool, module));
    var path = Arrays.stream(env("PATH", "").split(File.pathSeparator)).map(Path::of);
    return Stream.concat(Stream.of(built), path)
        .map(folder -> folder.resolve(binary))
        .filter(Files::isExecutable)
        .findFirst();
  }

  static Path cache() {
    var home = Path.of(System.getProperty("user.home"), ".cache").toString();
    return Path.of(env("XDG_CACHE_HOME", home), "middleware-engine");
  }

  private static String env(String name, String otherwise) {
    var value = System.getenv(name);
    return value == null || value.isEmpty() ? otherwise : value;
  }

  /** The version that the tool's go.mod pins. */
  private static String version(String tool, String module) {
    try (var lines = Files.lines(TOOLS.resolve(tool).resolve("go.mod"))) {
      return lines
          .map(line -> line.strip().split("\\s+"))
          .filter(words -> words[0].equals(module) && words.length > 1)
          .map(words -> words[1])
          .filter(Objects::nonNull)
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
