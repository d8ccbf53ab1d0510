package io.middleware.engine.agent.redis;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.order.NumberedName;
import io.middleware.engine.agent.store.DurableFiles;
import io.middleware.engine.agent.store.StoreFiles;
import io.middleware.engine.agent.store.StoredCopy;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills the folder of a Redis that has not started yet from a backup.
 *
 * <ol>
 *   <li>Only the first pod of a group is filled; the others copy its data.
 *   <li>Note in the folder which backup it is filled from. A folder with data and this note is
 *       filled: nothing to do. Data without it are somebody else's, and stay.
 *   <li>Fetch the backup and compare its checksum; only then it gets the name that Redis loads.
 * </ol>
 *
 * Redis with append-only files never loads its RDB file, so the backup becomes the base of those.
 *
 * @param folder of Redis
 * @param config of Redis, which names its files
 */
public record RedisRestore(
    String pod, StoreFiles store, String key, String checksum, Path folder, Path config) {
  private static final Logger LOG = LoggerFactory.getLogger(RedisRestore.class);
  private static final String NOTE = ".restored";

  /** Returns what happened, for people. Failures are those of a store. */
  public String run() {
    if (NumberedName.of(pod).number() != 0) {
      return "nothing to restore in %s: it copies its data from the first pod".formatted(pod);
    }
    var redis = RedisConfigFile.read(config);
    try {
      if (hasData(redis)) {
        return filledBefore();
      }
      DurableFiles.write(folder.resolve(NOTE), out -> out.write(note().getBytes()));
      return fill(redis);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private boolean hasData(RedisConfigFile redis) {
    return Files.exists(folder.resolve(redis.rdbFile()))
        || Files.exists(folder.resolve(redis.appendFolder()))
        || Files.exists(folder.resolve(redis.appendFile()));
  }

  private String filledBefore() throws IOException {
    var file = folder.resolve(NOTE);
    if (Files.exists(file) && Files.readString(file).equals(note())) {
      return "nothing to restore: %s was filled from %s before".formatted(folder, key);
    }
    throw Status.FAILED_PRECONDITION
        .withDescription(
            "cannot restore %s into %s: it has data that are not from this backup. Restore into a new App"
                .formatted(key, folder))
        .asRuntimeException();
  }

  private String note() {
    return "%s %s%n".formatted(key, checksum);
  }

  private String fill(RedisConfigFile redis) throws IOException {
    try (var opened = store.settings().open()) {
      var copy = new StoredCopy(opened, key, checksum);
      var size = redis.appendOnly() ? appendOnly(copy, redis) : rdb(copy, redis);
      return "%d bytes restored from %s".formatted(size, opened.location(key));
    }
  }

  private long rdb(StoredCopy copy, RedisConfigFile redis) throws IOException {
    return fetch(copy, folder.resolve(redis.rdbFile()));
  }

  /** The folder appears with all its files. */
  private long appendOnly(StoredCopy copy, RedisConfigFile redis) throws IOException {
    var unfinished = Files.createDirectories(folder.resolve(".appendonly.unfinished"));
    var base = redis.appendFile() + ".1.base.rdb";
    var size = fetch(copy, unfinished.resolve(base));
    DurableFiles.write(
        unfinished.resolve(redis.appendFile() + ".manifest"),
        out -> out.write("file %s seq 1 type b\n".formatted(base).getBytes()));
    Files.move(unfinished, folder.resolve(redis.appendFolder()), StandardCopyOption.ATOMIC_MOVE);
    DurableFiles.sync(folder);
    return size;
  }

  private long fetch(StoredCopy copy, Path file) throws IOException {
    var size = new long[1];
    DurableFiles.write(
        file, out -> size[0] = copy.copyTo(new Disk(out), (text, percent) -> LOG.info("{}", text)));
    return size[0];
  }

  private StatusRuntimeException failed(IOException e) {
    return Status.FAILED_PRECONDITION
        .withDescription(
            "cannot restore %s into %s: %s"
                .formatted(
                    key,
                    folder,
                    DurableFiles.isFull(e)
                        ? "the volume is full: give the App a larger storage size"
                        : e + ": check the volume"))
        .withCause(e)
        .asRuntimeException();
  }

  /** Names failures of the disk, which are not those of the store. */
  private final class Disk extends FilterOutputStream {
    Disk(OutputStream file) {
      super(file);
    }

    @Override
    public void write(byte[] buffer, int offset, int length) {
      try {
        out.write(buffer, offset, length);
      } catch (IOException e) {
        throw failed(e);
      }
    }
  }
}
