package io.middleware.engine.agent.restore;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalLong;

/** What an RDB file says of itself before its data. */
final class RdbHeader {
  /** The auxiliary fields are shorter. */
  static final int BYTES = 4096;

  private static final int MAGIC = "REDIS0010".length();
  private static final int AUXILIARY = 0xFA;
  private static final int SIX_BITS = 0x3F;

  private RdbHeader() {}

  /**
   * The memory of the Redis that wrote the file, at that moment; empty when the file does not say.
   *
   * @param begin of the file
   */
  static OptionalLong usedMemory(byte[] begin) {
    var file = ByteBuffer.wrap(begin).order(ByteOrder.LITTLE_ENDIAN);
    try {
      file.position(MAGIC);
      while (Byte.toUnsignedInt(file.get()) == AUXILIARY) {
        var name = string(file);
        var value = string(file);
        if (name.equals("used-mem")) {
          return OptionalLong.of(Long.parseLong(value));
        }
      }
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      // not written by Redis, or by a version that writes other fields
    }
    return OptionalLong.empty();
  }

  /** A string, or an integer that is written as one. */
  private static String string(ByteBuffer file) {
    var first = Byte.toUnsignedInt(file.get());
    return switch (first >> 6) {
      case 0 -> text(file, first & SIX_BITS);
      case 1 -> text(file, (first & SIX_BITS) << 8 | Byte.toUnsignedInt(file.get()));
      case 3 -> String.valueOf(integer(file, first & SIX_BITS));
      default -> throw new IllegalArgumentException("no auxiliary field is so long");
    };
  }

  private static String text(ByteBuffer file, int length) {
    var bytes = new byte[length];
    file.get(bytes);
    return new String(bytes, US_ASCII);
  }

  private static int integer(ByteBuffer file, int encoding) {
    return switch (encoding) {
      case 0 -> file.get();
      case 1 -> file.getShort();
      case 2 -> file.getInt();
      default -> throw new IllegalArgumentException("no integer is encoded as " + encoding);
    };
  }
}
