package io.middleware.engine.process.servers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/** The servers that are built: in the cache that {@code dev/up} fills, or on the PATH. */
enum ServerBinary {
  ETCD("etcd", "go.etcd.io/etcd/server/v3", "etcd"),
  API_SERVER("kubernetes", "k8s.io/kubernetes", "kube-apiserver"),
  TEMPORAL("temporal", "github.com/temporalio/cli", "temporal");

  private static final Path TOOLS = Path.of("..", "dev", "tools");

  private final String tool;
  private final String module;
  private final String file;

  ServerBinary(String tool, String module, String file) {
    this.tool = tool;
    this.module = module;
    this.file = file;
  }

  /** Empty when it is missing. */
  Optional<Path> find() {
    var built = cache().resolve(tool + "-" + version());
    var path = Arrays.stream(env("PATH", "").split(File.pathSeparator)).map(Path::of);
    return Stream.concat(Stream.of(built), path)
        .map(folder -> folder.resolve(file))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Its file, as in a command. */
  String path() {
    return find().orElseThrow().toString();
  }

  String file() {
    return file;
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
  private String version() {
    try (var lines = Files.lines(TOOLS.resolve(tool).resolve("go.mod"))) {
      return lines
          .map(line -> line.strip().split("\\s+"))
          .filter(words -> words[0].equals(module) && words.length > 1)
          .map(words -> words[1])
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
