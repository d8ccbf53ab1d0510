package io.middleware.engine.log;

import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import java.util.ArrayList;
import java.util.List;

/** Formats an exception and its causes, each with its first frames only. */
final class CompactError {
  private static final int FRAMES = 12;
  private static final int CAUSES = 8;

  private CompactError() {}

  static String summary(IThrowableProxy error) {
    String message = error.getMessage();
    return error.getClassName() + (message == null ? "" : ": " + message);
  }

  static String stack(IThrowableProxy error) {
    List<String> lines = new ArrayList<>();
    IThrowableProxy cause = error;
    for (int depth = 0; cause != null && depth < CAUSES; depth++) {
      lines.add(depth == 0 ? summary(cause) : "caused by " + summary(cause));
      frames(cause, lines);
      cause = cause.getCause();
    }
    return String.join("\n", lines);
  }

  private static void frames(IThrowableProxy error, List<String> lines) {
    StackTraceElementProxy[] frames = error.getStackTraceElementProxyArray();
    int own = frames.length - error.getCommonFrames();
    for (int i = 0; i < Math.min(own, FRAMES); i++) {
      lines.add("  " + frames[i].getSTEAsString());
    }
    if (own > FRAMES) {
      lines.add("  … " + (own - FRAMES) + " more");
    }
  }
}
