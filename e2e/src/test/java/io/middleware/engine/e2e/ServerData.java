package io.middleware.engine.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What a server of the instance keeps on disk: copied, lost, or replaced by an older copy. */
enum ServerData {
  /** The database and its journals. */
  TEMPORAL("temporal", "temporal.db"),
  ETCD("etcd", "etcd");

  private final String server;
  private final String prefix;

  ServerData(String server, String prefix) {
    this.server = server;
    this.prefix = prefix;
  }

  /** Copies the data while the server stands still. */
  void copyTo(Path copy) throws IOException {
    var pid = Engine.pid(server);
    Engine.run(List.of("kill", "-STOP", pid));
    try {
      transfer(data(), copy);
    } finally {
      Engine.run(List.of("kill", "-CONT", pid));
    }
  }

  /** Restarts the server with what was copied. */
  void replaceBy(Path copy) throws IOException {
    Engine.dev("stop", server);
    try {
      transfer(copy, data());
    } finally {
      Engine.dev("start", server);
    }
  }

  /** Restarts the server with nothing. */
  void lose() throws IOException {
    Engine.dev("stop", server);
    try {
      delete(data());
    } finally {
      Engine.dev("start", server);
    }
  }

  private void transfer(Path from, Path to) throws IOException {
    delete(to);
    for (var path : paths(from)) {
      var target = to.resolve(from.relativize(path));
      if (Files.isDirectory(path)) {
        Files.createDirectories(target);
      } else {
        Files.copy(path, target);
      }
    }
  }

  private void delete(Path folder) throws IOException {
    for (var path : paths(folder).stream().sorted(Comparator.reverseOrder()).toList()) {
      Files.delete(path);
    }
  }

  /** Each folder before what is in it. */
  private List<Path> paths(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(path -> folder.relativize(path).toString().startsWith(prefix))
          .sorted()
          .toList();
    }
  }

  private static Path data() {
    return Path.of(Engine.variable("INSTANCE_DIR"), "data");
  }
}
