package io.middleware.engine.simulator.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** The files of a pod, which end with it. */
record PodFolder(Path path) {
  void remove() throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (var files = Files.walk(path)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
