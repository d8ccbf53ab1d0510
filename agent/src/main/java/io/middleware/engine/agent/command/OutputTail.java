package io.middleware.engine.agent.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The end of what a command prints, of which the agent keeps no more than it reports. */
final class OutputTail {
  private static final int KEPT = 16 * 1024;

  private final byte[] buffer = new byte[2 * KEPT];
  private int length;

  /** Returns at the end of the stream, or when it is closed. */
  void readFrom(InputStream stream) {
    var chunk = new byte[KEPT];
    try {
      for (var read = stream.read(chunk); read >= 0; read = stream.read(chunk)) {
        add(chunk, read);
      }
    } catch (IOException e) {
      add(new byte[0], 0); // closed, because no process is left that could print
    }
  }

  private synchronized void add(byte[] chunk, int count) {
    if (length + count > buffer.length) {
      System.arraycopy(buffer, length - KEPT, buffer, 0, KEPT);
      length = KEPT;
    }
    System.arraycopy(chunk, 0, buffer, length, count);
    length += count;
  }

  synchronized String text() {
    var kept = Math.min(length, KEPT);
    return new String(buffer, length - kept, kept, StandardCharsets.UTF_8);
  }

  /** The last line that is not blank; empty when there is none. */
  String lastLine() {
    return text().lines().filter(line -> !line.isBlank()).reduce("", (before, line) -> line);
  }
}
