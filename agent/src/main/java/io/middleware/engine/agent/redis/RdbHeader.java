package io.middleware.engine.agent.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalLong;

/** What an RDB file says of itself before its data. */
public final class RdbHeader {
  /** The auxiliary fields are shorter. */
  public static final int BYTES = 4096;

  private static final int MAGIC = "REDIS0010".length();
  private static final int AUXILIARY = 0xFA;
  private static final int SIX_BITS = 0x3F;

  private RdbHeader() {}

  /**
   * The memory of the Redis that wrote the file, at that moment; empty when the file does not say.
   *
   * @param begin of the file
   */
  public static OptionalLong usedMemory(byte[] begin) {
    return field(begin, "used-mem")
        .map(Long::parseLong)
        .map(OptionalLong::of)
        .orElseGet(OptionalLong::empty);
  }

  /** Empty when the file does not have this field. */
  static Optional<String> field(byte[] begin, String wanted) {
    var file = ByteBuffer.wrap(begin).order(ByteOrder.LITTLE_ENDIAN);
    try {
      file.position(MAGIC);
      while (Byte.toUnsignedInt(file.get()) == AUXILIARY) {
        var name = string(file);
        var value = string(file);
        if (name.equals(wanted)) {
          return Optional.of(value);
        }
      }
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      // not written by Redis, or by a version that writes other fields
    }
    return Optional.empty();
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
