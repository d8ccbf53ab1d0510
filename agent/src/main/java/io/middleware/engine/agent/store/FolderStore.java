package io.middleware.engine.agent.store;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** A folder on a mounted volume: a key is a path in it. */
final class FolderStore implements BackupStorage {
  private final Path folder;

  FolderStore(Path folder) {
    this.folder = folder;
  }

  @Override
  public void requireWritable(String key) {
    call("write " + file(key), this::requireMounted);
  }

  @Override
  public void write(String key, InputStream content) {
    var file = file(key);
    call(
        "write " + file,
        () -> {
          requireMounted();
          Files.createDirectories(file.getParent());
          DurableFiles.write(file, content::transferTo);
          return null;
        });
  }

  @Override
  public void read(String key, OutputStream target) {
    var file = file(key);
    call("read " + file, () -> Files.copy(file, target));
  }

  @Override
  public OptionalLong size(String key) {
    var file = file(key);
    return call(
        "look at " + file,
        () -> Files.exists(file) ? OptionalLong.of(Files.size(file)) : OptionalLong.empty());
  }

  @Override
  public void delete(String key) {
    var file = file(key);
    call(
        "delete " + file,
        () -> {
          DurableFiles.delete(file);
          return null;
        });
  }

  @Override
  public List<String> list(String prefix) {
    return call(
        "list " + folder,
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

  private <T> T call(String what, IoCall<T> call) {
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
      throw DurableFiles.isFull(e)
          ? failure(
              Status.FAILED_PRECONDITION, what, e, "the volume is full: free space in " + folder)
          : failure(Status.UNAVAILABLE, what, e, "%s: check the volume of %s".formatted(e, folder));
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
