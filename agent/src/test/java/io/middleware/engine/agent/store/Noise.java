package io.middleware.engine.agent.store;

import java.io.InputStream;
import java.util.Random;

/** Bytes without a pattern, the same in each run; something may happen in the middle. */
final class Noise extends InputStream {
  static final int MIB = 1024 * 1024;

  private final Random random = new Random(42);
  private final long actAt;
  private final Runnable action;
  private final long size;
  private long position;
  private boolean acted;

  private Noise(long size, long actAt, Runnable action) {
    this.size = size;
    this.actAt = actAt;
    this.action = action;
  }

  static Noise of(long size) {
    return new Noise(size, size, () -> {});
  }

  static Noise interruptedBy(Runnable action, long size, long actAt) {
    return new Noise(size, actAt, action);
  }

  @Override
  public int read() {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) {
    if (position >= actAt && !acted) {
      acted = true;
      action.run();
    }
    if (position == size) {
      return -1;
    }
    var bytes = new byte[(int) Math.min(Math.min(length, 64 * 1024), size - position)];
    random.nextBytes(bytes);
    System.arraycopy(bytes, 0, buffer, offset, bytes.length);
    position += bytes.length;
    return bytes.length;
  }
}
