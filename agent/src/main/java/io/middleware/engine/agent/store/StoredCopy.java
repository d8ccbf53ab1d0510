package io.middleware.engine.agent.store;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.OutputStream;
import java.util.function.LongConsumer;
import java.util.function.ObjIntConsumer;

/**
 * A backup as it should be in its store.
 *
 * @param checksum as {@link Measure#checksum} has computed it
 */
public record StoredCopy(BackupStorage store, String key, String checksum) {
  private static final int MIB = 1024 * 1024;
  private static final int REPORT_BYTES = 16 * MIB;
  private static final int ALL = 100;

  /** Reads all of it, and returns its size. Fails with FAILED_PRECONDITION when it differs. */
  public long verify(ObjIntConsumer<String> progress) {
    return copyTo(OutputStream.nullOutputStream(), progress);
  }

  /**
   * Copies it, and returns its size. When this fails, what the target has received is not the
   * backup.
   *
   * @param progress receives a text for people and the percentage
   */
  public long copyTo(OutputStream target, ObjIntConsumer<String> progress) {
    var size =
        store.size(key).orElseThrow(() -> refused("is missing: it was deleted, or never written"));
    var measure = new Measure(everySoOften(size, progress));
    store.read(key, measure.of(target));
    var actual = measure.checksum();
    if (!actual.equals(checksum)) {
      throw refused(
          "is corrupt: its checksum is %s, not %s. Use another backup".formatted(actual, checksum));
    }
    return measure.size();
  }

  private static LongConsumer everySoOften(long size, ObjIntConsumer<String> progress) {
    var next = new long[] {REPORT_BYTES};
    return bytes -> {
      if (bytes >= next[0]) {
        next[0] = bytes + REPORT_BYTES;
        progress.accept(
            "%d of %d MiB read".formatted(bytes / MIB, size / MIB), (int) (bytes * ALL / size));
      }
    };
  }

  private StatusRuntimeException refused(String why) {
    return Status.FAILED_PRECONDITION
        .withDescription("the backup %s %s".formatted(store.location(key), why))
        .asRuntimeException();
  }
}
