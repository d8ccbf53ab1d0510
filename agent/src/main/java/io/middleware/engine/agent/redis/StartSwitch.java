package io.middleware.engine.agent.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The start of the Redis container may turn append-only files off beside the server, when it had to
 * begin with them. Two files beside the data say so, and are gone after the next start.
 *
 * @param folder of the data; empty: nobody does so
 */
record StartSwitch(Optional<Path> folder) {
  private static final String PLANNED = ".appendonly.off-planned";
  private static final String BEGUN = ".appendonly.off-begun";

  /** Unless it has begun, it will not be done any more. */
  void cancel() {
    folder.map(data -> data.resolve(PLANNED)).ifPresent(StartSwitch::delete);
  }

  boolean hasBegun() {
    return folder.filter(data -> Files.exists(data.resolve(BEGUN))).isPresent();
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("take over the switch of appendonly from " + file, e);
    }
  }
}
