package io.middleware.engine.agent.store;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** A folder on a mounted volume: a key is a path in it. */
final class FolderStore implements BackupStorage {
  /** The innermost folders of a key, which one backup has for itself. */
  private static final int OWN_FOLDERS = 2;

  private static final int ATTEMPTS = 100;

  private final Path folder;

  FolderStore(Path folder) {
    this.folder = folder;
  }

  @Override
  public void requireWritable(String key) {
    call("write " + file(key), file(key), this::requireMounted);
  }

  @Override
  public void write(String key, InputStream content) {
    var file = file(key);
    call(
        "write " + file,
        file,
        () -> {
          requireMounted();
          write(file, content, ATTEMPTS);
          return null;
        });
  }

  /** Begins again when a deletion beside has removed the folder, which was empty. */
  private static void write(Path file, InputStream content, int attempts) throws IOException {
    var begun = new AtomicBoolean(); // what was read of the content does not come again
    try {
      Files.createDirectories(file.getParent());
      DurableFiles.write(
          file,
          out -> {
            begun.set(true);
            content.transferTo(out);
          });
    } catch (NoSuchFileException e) {
      if (attempts == 1 || begun.get()) {
        throw e;
      }
      write(file, content, attempts - 1);
    }
  }

  @Override
  public void read(String key, OutputStream target) {
    var file = file(key);
    call("read " + file, file, () -> Files.copy(file, target));
  }

  @Override
  public OptionalLong size(String key) {
    var file = file(key);
    return call(
        "look at " + file,
        file,
        () -> Files.exists(file) ? OptionalLong.of(Files.size(file)) : OptionalLong.empty());
  }

  @Override
  public void delete(String key) {
    var file = file(key);
    call(
        "delete " + file,
        file,
        () -> {
          DurableFiles.delete(file);
          removeEmpty(file.getParent(), OWN_FOLDERS);
          return null;
        });
  }

  /** The folders above belong to others as well, who may be about to write there. */
  private void removeEmpty(Path above, int levels) throws IOException {
    if (levels == 0 || above.equals(folder) || Files.exists(above) && !Files.isDirectory(above)) {
      return;
    }
    try {
      Files.deleteIfExists(above);
    } catch (DirectoryNotEmptyException e) {
      return;
    }
    removeEmpty(above.getParent(), levels - 1);
  }

  @Override
  public List<String> list(String prefix) {
    return call(
        "list " + folder,
        folder,
        () -> {
          try (Stream<Path> files = Files.walk(folder)) {
            return files
                .filter(file -> Files.isRegularFile(file) && !DurableFiles.isUnfinished(file))
                .map(file -> folder.relativize(file).toString())
                .filter(key -> key.startsWith(prefix))
                .sorted()
                .toList();
          }
        });
  }

  @Override
  public String location(String key) {
    return file(key).toString();
  }

  @Override
  public void close() {}

  /** A folder that is not there is a volume that is not mounted. */
  private Void requireMounted() throws IOException {
    Files.list(folder).close();
    return null;
  }

  private Path file(String key) {
    return folder.resolve(StoreKey.valid(key));
  }

  private <T> T call(String what, Path file, IoCall<T> call) {
    try {
      return call.run();
    } catch (NoSuchFileException e) {
      throw failure(
          Status.FAILED_PRECONDITION,
          what,
          e,
          Files.isDirectory(folder)
              ? "there is no such file: it was deleted, or never written"
              : "there is no folder %s: mount the volume of the store there".formatted(folder));
    } catch (IOException e) {
      throw lasting(folder, file, e)
          .map(why -> failure(Status.FAILED_PRECONDITION, what, e, why))
          .orElseGet(
              () ->
                  failure(
                      Status.UNAVAILABLE,
                      what,
                      e,
                      "%s: check the volume of %s".formatted(e, folder)));
    }
  }

  /**
   * What a person must do, where another attempt would fail in the same way; empty where it may
   * succeed.
   */
  static Optional<String> lasting(Path folder, Path file, IOException e) {
    if (DurableFiles.isFull(e)) {
      return Optional.of("the volume is full: free space in " + folder);
    }
    if (e instanceof AccessDeniedException denied) {
      return Optional.of(
          "the agent may not use %s: give the user and group of its pod the rights on the volume, for example by securityContext.fsGroup"
              .formatted(denied.getFile()));
    }
    for (var above = file.getParent(); above.startsWith(folder); above = above.getParent()) {
      if (Files.exists(above) && !Files.isDirectory(above)) {
        return Optional.of(above + " is a file where a folder should be: move it away");
      }
    }
    if (!file.equals(folder) && Files.isDirectory(file)) {
      return Optional.of(file + " is a folder where a file should be: move it away");
    }
    return isReadOnly(folder)
        ? Optional.of(
            "the volume of %s is mounted read-only: mount it so that the agent may write"
                .formatted(folder))
        : Optional.empty();
  }

  private static boolean isReadOnly(Path folder) {
    try {
      return Files.getFileStore(folder).isReadOnly();
    } catch (IOException e) {
      return false; // the volume fails altogether, which may pass
    }
  }

  private static StatusRuntimeException failure(
      Status status, String what, IOException cause, String why) {
    return status
        .withDescription("cannot %s: %s".formatted(what, why))
        .withCause(cause)
        .asRuntimeException();
  }

  private interface IoCall<T> {
    T run() throws IOException;
  }
}
