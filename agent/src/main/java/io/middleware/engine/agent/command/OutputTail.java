package io.middleware.engine.agent.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The end of what a command prints, of which the agent keeps no more than it reports. */
final class OutputTail {
  private static final int REPORTED = 16 * 1024;
  private static final int CHUNK = 4 * 1024;

  private final int kept;
  private byte[] buffer = new byte[0];
  private int length;

  /** As much as the result of an action has. */
  OutputTail() {
    this(REPORTED);
  }

  /**
   * @param kept the number of bytes at the end that are kept
   */
  OutputTail(int kept) {
    this.kept = kept;
  }

  /** Returns at the end of the stream, or when it is closed. */
  void readFrom(InputStream stream) {
    var chunk = new byte[CHUNK];
    try {
      for (var read = stream.read(chunk); read >= 0; read = stream.read(chunk)) {
        add(chunk, read);
      }
    } catch (IOException e) {
      add(new byte[0], 0); // closed, because no process is left that could print
    }
  }

  private synchronized void add(byte[] chunk, int count) {
    if (length + count > kept + kept) {
      System.arraycopy(buffer, length - kept, buffer, 0, kept);
      length = kept;
    }
    if (length + count > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(length + count, 2 * buffer.length));
    }
    System.arraycopy(chunk, 0, buffer, length, count);
    length += count;
  }

  synchronized String text() {
    var end = Math.min(length, kept);
    return new String(buffer, length - end, end, StandardCharsets.UTF_8);
  }

  /** The last line that is not blank; empty when there is none. */
  String lastLine() {
    return text().lines().filter(line -> !line.isBlank()).reduce("", (before, line) -> line);
  }
}
