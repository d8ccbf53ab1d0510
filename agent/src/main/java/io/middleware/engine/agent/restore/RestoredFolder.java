package io.middleware.engine.agent.restore;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.redis.MarkFile;
import io.middleware.engine.agent.redis.RdbHeader;
import io.middleware.engine.agent.store.DurableFiles;
import io.middleware.engine.agent.store.StoreSource;
import io.middleware.engine.agent.store.StoredCopy;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of a Redis that begins with a backup. A note in it says which backup it is filled
 * from, before it has any data. Data without this note are somebody else's.
 *
 * <p>Redis with append-only files never loads its RDB file, so the backup becomes the base of
 * those.
 */
record RestoredFolder(
    RestoreRequest backup, StoreSource store, Path folder, RedisConfigFile redis) {
  private static final Logger LOG = LoggerFactory.getLogger(RestoredFolder.class);
  private static final String NOTE = ".restored";
  private static final int MIB = 1024 * 1024;

  /** At most this part of the memory is taken for buffers: a tenth. */
  private static final int BUFFERS = 10;

  /** Whether it has data, which are those of the backup or newer. */
  boolean isFilled() {
    var file = folder.resolve(NOTE);
    try {
      return hasData() && Files.exists(file) && Files.readString(file).equals(note());
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Fetches the backup, which gets the name that Redis loads when its checksum is right. */
  String fill() {
    if (hasData()) {
      throw Status.FAILED_PRECONDITION
          .withDescription(
              "cannot restore %s into %s: it has data that are not from this backup. Restore into a new App"
                  .formatted(backup.key(), folder))
          .asRuntimeException();
    }
    try (var opened = store.settings().open()) {
      MarkFile.remove(folder);
      DurableFiles.write(folder.resolve(NOTE), out -> out.write(note().getBytes()));
      var copy = new StoredCopy(opened, backup.key(), backup.checksum());
      var size = redis.appendOnly() ? appendOnly(copy) : rdb(copy);
      return "%d bytes restored from %s".formatted(size, opened.location(backup.key()));
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private boolean hasData() {
    return Files.exists(folder.resolve(redis.rdbFile()))
        || Files.exists(folder.resolve(redis.appendFolder()))
        || Files.exists(folder.resolve(redis.appendFile()));
  }

  private String note() {
    return "%s %s%n".formatted(backup.key(), backup.checksum());
  }

  private long rdb(StoredCopy copy) throws IOException {
    return fetch(copy, folder.resolve(redis.rdbFile()));
  }

  /** The folder appears with all its files. */
  private long appendOnly(StoredCopy copy) throws IOException {
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
        file,
        out -> {
          var disk = new Disk(out);
          size[0] = copy.copyTo(disk, (text, percent) -> LOG.info("{}", text));
          requireRoom(disk.begin());
        });
    return size[0];
  }

  /**
   * Redis would load all keys, and then evict what is too much. The memory of the Redis that was
   * backed up had buffers as well, so that a little more than the limit may fit.
   */
  private void requireRoom(byte[] begin) {
    var limit = redis.evictsAbove();
    var used = RdbHeader.usedMemory(begin);
    if (limit.isPresent()
        && used.isPresent()
        && used.getAsLong() > limit.getAsLong() + limit.getAsLong() / BUFFERS) {
      throw Status.FAILED_PRECONDITION
          .withDescription(
              "cannot restore %s into %s: its data took %d MiB of memory, and with maxmemory %d MiB Redis would evict keys. Give the App a larger maxmemory, or the maxmemory-policy noeviction"
                  .formatted(backup.key(), folder, used.getAsLong() / MIB, limit.getAsLong() / MIB))
          .asRuntimeException();
    }
  }

  private StatusRuntimeException failed(IOException e) {
    return Status.FAILED_PRECONDITION
        .withDescription(
            "cannot restore %s into %s: %s"
                .formatted(
                    backup.key(),
                    folder,
                    DurableFiles.isFull(e)
                        ? "the volume is full: give the App a larger storage size"
                        : e + ": check the volume"))
        .withCause(e)
        .asRuntimeException();
  }

  /** Names failures of the disk, which are not those of the store. */
  private final class Disk extends FilterOutputStream {
    private final ByteArrayOutputStream begin = new ByteArrayOutputStream();

    Disk(OutputStream file) {
      super(file);
    }

    /** What was written first, as much as a header has. */
    byte[] begin() {
      return begin.toByteArray();
    }

    @Override
    public void write(byte[] buffer, int offset, int length) {
      begin.write(
          buffer,
          offset,
          Math.min(length, RdbHeader.BYTES - Math.min(begin.size(), RdbHeader.BYTES)));
      try {
        out.write(buffer, offset, length);
      } catch (IOException e) {
        throw failed(e);
      }
    }
  }
}
