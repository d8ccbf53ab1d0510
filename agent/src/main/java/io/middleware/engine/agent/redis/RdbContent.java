package io.middleware.engine.agent.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** The part of a connection that is an RDB file. */
interface RdbContent {
  String MARKED = "$EOF:";

  /** Like {@link InputStream#read(byte[], int, int)}. */
  int read(byte[] target, int offset, int length) throws IOException;

  /**
   * @param header as Redis sends it before the file: {@code $EOF:mark} or {@code $size}
   */
  static RdbContent after(String header, InputStream received) {
    return header.startsWith(MARKED)
        ? new Marked(received, header.substring(MARKED.length()).getBytes(US_ASCII))
        : new Sized(received, Long.parseLong(header.substring(1)));
  }

  /** As many bytes as announced. */
  final class Sized implements RdbContent {
    private final InputStream received;
    private long remaining;

    Sized(InputStream received, long size) {
      this.received = received;
      this.remaining = size;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (remaining == 0) {
        return -1;
      }
      var count = received.read(target, offset, (int) Math.min(length, remaining));
      if (count < 0) {
        throw new EOFException("the connection ended %d bytes too early".formatted(remaining));
      }
      remaining -= count;
      return count;
    }
  }

  /**
   * Ends with the announced mark, after which Redis sends nothing: it is what was received last.
   */
  final class Marked implements RdbContent {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final InputStream received;
    private final byte[] mark;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int begin;
    private int end;
    private boolean complete;

    Marked(InputStream received, byte[] mark) {
      this.received = received;
      this.mark = mark.clone();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      while (known() == 0) {
        if (complete) {
          return -1;
        }
        receive();
      }
      var count = Math.min(length, known());
      System.arraycopy(buffer, begin, target, offset, count);
      begin += count;
      return count;
    }

    /** The number of bytes that are not, and cannot become, part of the mark. */
    private int known() {
      return Math.max(0, end - begin - mark.length);
    }

    private void receive() throws IOException {
      System.arraycopy(buffer, begin, buffer, 0, end - begin);
      end -= begin;
      begin = 0;
      var count = received.read(buffer, end, buffer.length - end);
      if (count < 0) {
        throw new EOFException("the connection ended before the end of the data");
      }
      end += count;
      complete =
          end >= mark.length && Arrays.equals(buffer, end - mark.length, end, mark, 0, mark.length);
    }
  }
}
