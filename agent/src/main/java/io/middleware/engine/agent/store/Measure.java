package io.middleware.engine.agent.store;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.LongConsumer;

/** Size and checksum of the bytes that pass through a stream. */
public final class Measure {
  private final MessageDigest digest = sha256();
  private final LongConsumer onBytes;
  private long size;

  /**
   * @param onBytes receives the number of bytes so far, after each block
   */
  public Measure(LongConsumer onBytes) {
    this.onBytes = onBytes;
  }

  public InputStream of(InputStream source) {
    return new FilterInputStream(source) {
      @Override
      public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
      }

      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        var count = in.read(buffer, offset, length);
        add(buffer, offset, Math.max(0, count));
        return count;
      }
    };
  }

  public OutputStream of(OutputStream target) {
    return new FilterOutputStream(target) {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] buffer, int offset, int length) throws IOException {
        out.write(buffer, offset, length);
        add(buffer, offset, length);
      }
    };
  }

  public long size() {
    return size;
  }

  /** {@code sha256:} and the digest in hex; to be called once, at the end. */
  public String checksum() {
    return "sha256:" + HexFormat.of().formatHex(digest.digest());
  }

  private void add(byte[] buffer, int offset, int length) {
    digest.update(buffer, offset, length);
    size += length;
    onBytes.accept(size);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
